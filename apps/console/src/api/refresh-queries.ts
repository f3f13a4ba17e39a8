import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Reloads queries after a change. Returns no promise, so that a mutation ends before the new data arrives. The new data
 * often unmounts the component that called `mutate`, and React Query then ignores the callbacks of `mutate`.
 */
export function refreshQueries(queries: QueryClient, filters: QueryFilters): void {
  void queries.invalidateQueries(filters);
}
