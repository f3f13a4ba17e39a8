import { type InfiniteData, type Query, type QueryClient, type QueryFilters } from '@tanstack/react-query';

/** Maximum number of loaded pages of a list that is refreshed as a whole. Each page needs a request. */
export const MAX_REFRESHED_PAGES = 10;

type Pages = InfiniteData<unknown>;

/** Returns true unless the query is a list with more than `MAX_REFRESHED_PAGES` loaded pages. */
export function canRefreshWholeQuery({ state }: Pick<Query, 'state'>): boolean {
  return !hasPages(state.data) || state.data.pages.length <= MAX_REFRESHED_PAGES;
}

/**
 * Removes the pages of long lists beyond `MAX_REFRESHED_PAGES` from the cache. These pages are loaded again when the
 * user scrolls to them.
 */
export function trimLongLists(queries: QueryClient, filters: QueryFilters = {}): void {
  for (const query of queries.getQueryCache().findAll(filters)) {
    if (canRefreshWholeQuery(query)) continue;
    const { dataUpdatedAt: updatedAt } = query.state;
    queries.setQueryData<Pages>(query.queryKey, (data) => data && keepFirstPages(data), { updatedAt });
  }
}

/** Trims the long lists that match the filters to their first pages, and then reloads all matching queries. */
export async function trimAndRefreshLists(queries: QueryClient, filters: QueryFilters = {}): Promise<void> {
  trimLongLists(queries, filters);
  await queries.invalidateQueries(filters);
}

function keepFirstPages({ pages, pageParams }: Pages): Pages {
  return { pages: pages.slice(0, MAX_REFRESHED_PAGES), pageParams: pageParams.slice(0, MAX_REFRESHED_PAGES) };
}

function hasPages(data: unknown): data is Pages {
  return typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data;
}
