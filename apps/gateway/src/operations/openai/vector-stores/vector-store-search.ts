import { requireValidQuestionText } from '../../../checks/require-valid-question-text.js';
import { loadDatasources } from '../../../datasources/datasource-repository.js';
import type { Gateway } from '../../../gateway.js';
import type { Operation } from '../../../http/declaration.js';
import { defineOperation } from '../../../http/define-operation.js';
import { buildOkReply } from '../../../http/reply.js';
import { createObjectSchema, describeJsonResponse } from '../../../http/responses.js';
import { type DatastoreSearch, searchDatastore } from '../../../searching/search-datastore.js';
import { requireSearchTarget } from '../../../searching/search-target.js';
import { withQueryReservation } from '../../../usage/with-query-reservation.js';
import { getFileId } from '../../../vector-stores/vector-store-files.js';
import { describeOpenAiBody } from '../protocol/parameters.js';
import { formatResourceId, createIdParser } from '../protocol/resource-ids.js';
import { selectAttributes } from './vector-store-file-view.js';
import {
  getResultLimit,
  type SearchNote,
  VectorStoreSearchRequest,
  type VectorStoreSearchResult,
  VectorStoreSearchResults,
} from './vector-store-search-shapes.js';

/** Lists the operation that searches a vector store. */
export const VECTOR_STORE_SEARCH_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'searchVectorStore',
    method: 'post',
    path: '/vector_stores/{vector_store_id}/search',
    tag: 'OpenAI-compatible',
    summary: 'Search a vector store',
    description: 'Counts as one datastore query, also if a model rewrites the queries.',
    scopes: ['query'],
    isReadOnly: true,
    params: { vector_store_id: createIdParser('vector store') },
    body: describeOpenAiBody(VectorStoreSearchRequest, { inert: {}, check: requireValidQueries }),
    responses: { 200: describeJsonResponse('The results.', createObjectSchema(VectorStoreSearchResults)) },
    problems: ['usage_limit_reached', 'overloaded', 'datastore_expired'],
    find: async ({ gateway, caller, params }) => requireSearchTarget(gateway.db, caller, params.vector_store_id),
    handle: async ({ gateway, caller, found: datastore, body, client, signal, log }) => {
      const { organizationId } = caller;
      const reservation = { organizationId, kind: 'datastoreQueries', askedAt: gateway.clock() } as const;
      const [query, ...furtherQueries] = listSearchQueries(body);
      const filters = body.filters === undefined ? {} : { filters: { metadata: body.filters } };
      const { rewrite_query: rewrite = false } = body;
      const request = { query, furtherQueries, rewrite, topK: getResultLimit(body), ...filters };
      const { results, rewritten, notes } = await withQueryReservation(
        gateway,
        { reservation, client, log },
        async () => searchDatastore(gateway, datastore, request, signal),
      );
      const minScore = body.ranking_options?.score_threshold ?? 0;
      const found = results.filter(({ score }) => score >= minScore);
      return buildOkReply({
        object: 'vector_store.search_results.page' as const,
        search_query: rewritten ?? [query, ...furtherQueries],
        data: await buildSearchResults(gateway, datastore.id, found),
        has_more: false,
        next_page: null,
        notes: [...notes, ...listRewritingNotes(rewrite, rewritten)],
      });
    },
  }),
];

function listSearchQueries({ query }: VectorStoreSearchRequest): readonly [string, ...string[]] {
  return typeof query === 'string' ? [query] : query;
}

/** Returns a note if the queries were not rewritten although the request asked for that. */
function listRewritingNotes(isRequested: boolean, rewritten: readonly string[] | undefined): readonly SearchNote[] {
  return isRequested && rewritten === undefined ? ['not_rewritten'] : [];
}

/** Refuses queries that are blank or too long. @throws Problem 400 */
function requireValidQueries(body: VectorStoreSearchRequest, { limits }: Gateway): void {
  for (const query of listSearchQueries(body)) requireValidQuestionText(query, limits.queryCharacters);
}

/**
 * Returns found fragments with the files that contain them. Omits fragments of files that were removed during the
 * search.
 */
async function buildSearchResults(
  { db }: Pick<Gateway, 'db'>,
  datastoreId: string,
  results: DatastoreSearch['results'],
): Promise<readonly VectorStoreSearchResult[]> {
  const ids = [...new Set(results.map(({ datasource_id: id }) => id))];
  const rows = await loadDatasources(db, ids, [datastoreId]);
  const found = new Map(rows.map(({ datasource }) => [datasource.id, datasource]));
  return results.flatMap(({ datasource_id: id, score, text }) => {
    const datasource = found.get(id);
    if (datasource === undefined) return [];
    const file = { file_id: formatResourceId('file', getFileId(datasource)), filename: datasource.name };
    const attributes = selectAttributes(datasource.metadata);
    return [{ ...file, score, attributes, content: [{ type: 'text' as const, text }] }];
  });
}
