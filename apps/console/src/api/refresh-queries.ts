import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Loads queries again after a change, without making the mutation wait. React Query drops the callbacks of a call of `mutate` if its
 * component unmounts before the mutation ends, and the new data often removes that component: the offer that was accepted, or the row
 * that was deleted.
 */
export function refreshQueries(queries: QueryClient, filters: QueryFilters): void {
  void queries.invalidateQueries(filters);
}
