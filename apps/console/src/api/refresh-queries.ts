import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Loads queries again after a change. The caller cannot wait for the new data, so that a mutation ends before the data
 * arrives. The new data often unmounts the component that called `mutate`, and React Query then drops the callbacks of
 * `mutate`.
 */
export function refreshQueries(queries: QueryClient, filters: QueryFilters): void {
  void queries.invalidateQueries(filters);
}
