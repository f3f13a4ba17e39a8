import type { ExcludedContent, QueryFilters, SearchScope } from '@quarry/contracts';
import { MAX_EXCLUDED_DOCUMENTS, type SearchTarget } from './search-target.js';

/**
 * Builds the scope of a query: the given datastores of an organization, restricted by the caller's filters, without content that is
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
    ...(filters === null || filters === undefined ? {} : { filters: removeNullFilters(filters) }),
    ...(excluded === undefined ? {} : { excluded }),
  };
}

/**
 * Collects the deleted content that a search excludes: all datasources, and the newest removals of single documents.
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
 * Removes filters that are null. An empty list stays and matches nothing, because some visitors may see no content.
 */
function removeNullFilters(filters: QueryFilters): QueryFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, filter]) => filter !== null && filter !== undefined));
}
