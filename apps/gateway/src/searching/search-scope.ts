import type { ExcludedContent, QueryFilters, SearchScope } from '@quarry/contracts';
import { MAX_EXCLUDED_DOCUMENTS, type SearchTarget } from './search-target.js';

/**
 * Builds what a query may see: these datastores of this organization, narrowed by the caller's filters, without what is being
 * removed from them.
 */
export function searchScope(
  organizationId: string,
  datastores: readonly SearchTarget[],
  filters: QueryFilters | null | undefined,
): Pick<SearchScope, keyof SearchScope> {
  const excluded = excludedFrom(datastores);
  return {
    organizationId,
    datastores: datastores.map(({ id, embedding }) => (embedding === null ? { id } : { id, embedding })),
    ...(filters === null || filters === undefined ? {} : { filters: withoutNulls(filters) }),
    ...(excluded === undefined ? {} : { excluded }),
  };
}

/** Of single documents only the newest removals are excluded, by the generations that grow with time. */
function excludedFrom(datastores: readonly SearchTarget[]): ExcludedContent | undefined {
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

/** A filter that is null is absent. A list that is empty matches nothing: a portal sends it for a visitor who may see nothing. */
function withoutNulls(filters: QueryFilters): QueryFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, filter]) => filter !== null && filter !== undefined));
}
