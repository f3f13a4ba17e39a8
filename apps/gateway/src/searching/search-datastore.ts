import {
  DEFAULT_TOP_K,
  type DatastoreQueryRequest,
  type DatastoreQueryResult,
  type RetrievalNote,
} from '@quarry/contracts';
import { loadDatasourceLabels } from '../datasources/datasource-repository.js';
import type { Gateway } from '../gateway.js';
import { buildSearchScope, type SearchTarget } from './search-target.js';

export interface DatastoreSearch {
  /** The results, best first. */
  readonly results: readonly DatastoreQueryResult[];
  /** The steps of the search that were skipped. */
  readonly notes: readonly RetrievalNote[];
}

/**
 * Returns the fragments that are most similar to the query, best first. Omits fragments of deleted datasources.
 *
 * @throws Problem of the query service
 */
export async function searchDatastore(
  { db, queryService }: Pick<Gateway, 'db' | 'queryService'>,
  datastore: SearchTarget,
  { query, topK, filters }: DatastoreQueryRequest,
  signal: AbortSignal,
): Promise<DatastoreSearch> {
  const { organizationId } = datastore;
  const scope = buildSearchScope(organizationId, [datastore], filters);
  const { fragments, notes } = await queryService.search({ ...scope, query, topK: topK ?? DEFAULT_TOP_K }, signal);
  const labels = await loadDatasourceLabels(
    db,
    organizationId,
    fragments.map((fragment) => fragment.datasourceId),
  );
  const results = fragments.flatMap(({ datasourceId, customId, text, score, source, page }) => {
    const label = labels.get(datasourceId);
    if (label === undefined) return [];
    return { text, score, source, datasource_id: datasourceId, datasource_name: label.name, custom_id: customId, page };
  });
  return { results, notes };
}
