import type { QueryFilters, SearchScope } from '@quarry/contracts';
import type { DatastoreRow } from '../database/tables/datastores.js';

/** What a query may see: these datastores of this organization, and what the caller's filters leave of them. */
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

/** A filter that is null is absent; a list that is empty lets nothing through, as a caller who may see nothing sends it. */
function withoutNulls(filters: QueryFilters): QueryFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, filter]) => filter !== null && filter !== undefined));
}
