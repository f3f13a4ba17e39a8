import type { QueryFilters, SearchScope } from '@quarry/contracts';
import type { DatastoreRow } from '../database/tables/datastores.js';

/** Builds what a query may see: these datastores of this organization, narrowed by the caller's filters. */
export function searchScope(
  organizationId: string,
  datastores: readonly DatastoreRow[],
  filters: QueryFilters | null | undefined,
): Pick<SearchScope, keyof SearchScope> {
  return {
    organizationId,
    datastores: datastores.map(({ id, embedding }) => (embedding === null ? { id } : { id, embedding })),
    ...(filters === null || filters === undefined ? {} : { filters: withoutNulls(filters) }),
  };
}

/** A filter that is null is absent. A list that is empty matches nothing: a portal sends it for a visitor who may see nothing. */
function withoutNulls(filters: QueryFilters): QueryFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, filter]) => filter !== null && filter !== undefined));
}
