import type { ExcludedContent, QueryFilters, SearchScope } from '@quarry/contracts';
import { MAX_EXCLUDED_DOCUMENTS, type SearchTarget } from './search-target.js';

/**
 * Builds the scope of a query: these datastores of this organization, restricted by the caller's filters, without content that is
 * being removed.
 */
export function buildSearchScope(
  organizationId: string,
  datastores: readonly SearchTarget[],
  filters: QueryFilters | null | undefined,
): Pick<SearchScope, keyof SearchScope> {
  const excluded = collectExclusions(datastores);
  return {
    organizationId,
    datastores: datastores.map(({ id, embedding }) => (embedding === null ? { id } : { id, embedding })),
    ...(filters === null || filters === undefined ? {} : { filters: dropNulls(filters) }),
    ...(excluded === undefined ? {} : { excluded }),
  };
}

/**
 * Collects the content to exclude. Of single documents, only the newest removals are excluded. Their generations grow with time.
 */
function collectExclusions(datastores: readonly SearchTarget[]): ExcludedContent | undefined {
  const removals = datastores.flatMap((datastore) =>
    datastore.removals.map((removal) => ({ ...removal, datastoreId: datastore.id })),
  );
  if (removals.length === 0) return undefined;
  const datasourceIds = removals
    .filter(({ documentKey }) => documentKey === null)
    .map(({ datasourceId }) => datasourceId);
  const documents = removals.flatMap(({ datastoreId, datasourceId, documentKey, upTo }) =>
    documentKey === null ? [] : [{ datastoreId, datasourceId, documentKey, upTo }],
  );
  const newest = documents.sort((a, b) => b.upTo - a.upTo).slice(0, MAX_EXCLUDED_DOCUMENTS);
  return { datasourceIds, documents: newest };
}

/**
 * Treats a filter that is null as absent. An empty list remains and matches nothing, because some visitors may see no content.
 */
function dropNulls(filters: QueryFilters): QueryFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, filter]) => filter !== null && filter !== undefined));
}
