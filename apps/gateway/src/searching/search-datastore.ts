import {
  DEFAULT_TOP_K,
  type DatastoreQueryRequest,
  type DatastoreQueryResult,
  type RetrievalNote,
  type SearchExplanation,
  type SearchRequest,
} from '@quarry/contracts';
import { getClientDocumentId } from '../datasources/document-identity.js';
import { toApiDocumentKey } from '../datasources/document-view.js';
import type { LabelCache } from '../datasources/label-cache.js';
import { problem } from '../problems.js';
import type { QueryService } from '../query-service/connect-query-service.js';
import { buildExplanation } from './build-explanation.js';
import { findDocumentUrl, type StoredPassage } from '../source-addresses/source-address.js';
import { buildSearchScope, type SearchTarget } from './search-target.js';

export interface DatastoreSearch {
  /** The results, best first. */
  readonly results: readonly StoredPassage<DatastoreQueryResult>[];
  /** Notes about the steps of the search that were skipped. */
  readonly notes: readonly RetrievalNote[];
  /** The rewritten queries. Absent if the request did not ask for them, or if no model rewrote the queries. */
  readonly rewritten?: readonly string[];
  /** The explanation of the search. Absent unless the request asked for it. */
  readonly explanation?: SearchExplanation;
}

/** A search of datastores. */
export interface DatastoreSearchRequest extends Pick<DatastoreQueryRequest, 'query' | 'topK' | 'filters' | 'explain'> {
  /**
   * Queries in addition to `query`. The search finds fragments that match `query` or any of the further queries.
   * Absent: there are none.
   */
  readonly furtherQueries?: readonly string[];
  /** True if the default model rewrites the queries before the search. Absent: false. */
  readonly rewrite?: boolean;
}

export interface SearchParts {
  readonly labels: Pick<LabelCache, 'find'>;
  readonly queryService: Pick<QueryService, 'search'>;
}

interface SearchedDatastores {
  readonly organizationId: string;
  readonly datastores: readonly SearchTarget[];
}

/** Searches one datastore: see `searchDatastores`. */
export async function searchDatastore(
  gateway: SearchParts,
  datastore: SearchTarget,
  request: DatastoreSearchRequest,
  signal: AbortSignal,
): Promise<DatastoreSearch> {
  const { organizationId } = datastore;
  return searchDatastores(gateway, { organizationId, datastores: [datastore] }, request, signal);
}

/**
 * Returns the fragments that are most similar to the query, best first. Excludes the deleted content that the search
 * targets list in `removals`. The caller ensures that the datastores belong to the organization.
 *
 * @throws the problems of the query service
 */
export async function searchDatastores(
  { labels: labelCache, queryService }: SearchParts,
  { organizationId, datastores }: SearchedDatastores,
  request: DatastoreSearchRequest,
  signal: AbortSignal,
): Promise<DatastoreSearch> {
  const sent = buildSearchRequest(organizationId, datastores, request);
  const { fragments, notes, rewritten, explanation } = await queryService.search(sent, signal);
  const found = [...fragments, ...(explanation?.dropped ?? []).map(({ fragment }) => fragment)];
  const labels = await labelCache.find(
    organizationId,
    found.map((fragment) => fragment.datasourceId),
  );
  const results = fragments.flatMap(({ datasourceId, documentKey, customId, ...passage }) => {
    const label = labels.get(datasourceId);
    if (label === undefined) return [];
    const { text, score, source, page, rectangles } = passage;
    const datasource = { datasource_id: datasourceId, datasource_name: label.name };
    const document = { document_key: toApiDocumentKey(label, documentKey), document_id: getClientDocumentId(label) };
    return {
      text,
      score,
      source: findDocumentUrl(source, label),
      ...datasource,
      ...document,
      custom_id: customId,
      metadata: label.metadata,
      page,
      rectangles,
    };
  });
  const search = { results, notes, ...(rewritten && { rewritten }) };
  if (request.explain !== true) return search;
  if (explanation === undefined) throw createUnsupportedSearchProblem();
  const resultLabels = fragments.map(({ datasourceId }) => labels.get(datasourceId));
  return { ...search, explanation: buildExplanation(explanation, { resultLabels, labels }) };
}

/** Builds the request that the gateway sends to the query service for a search. */
export function buildSearchRequest(
  organizationId: string,
  datastores: readonly SearchTarget[],
  { query, furtherQueries, rewrite, topK, filters, explain }: DatastoreSearchRequest,
): SearchRequest {
  return {
    ...buildSearchScope(organizationId, datastores, filters),
    ...{ query, topK: topK ?? DEFAULT_TOP_K },
    ...(furtherQueries !== undefined && furtherQueries.length > 0 && { furtherQueries }),
    ...(rewrite === true && { rewrite }),
    ...(explain === true && { explain }),
  };
}

/**
 * Creates the problem that is returned if the query service cannot explain searches. This occurs during an update,
 * while the query service still has an older version than the gateway.
 */
function createUnsupportedSearchProblem(): Error {
  return problem(
    'dependency_unavailable',
    'A query service of an older version cannot explain searches. Retry later.',
    {
      headers: { 'Retry-After': '10' },
    },
  );
}
