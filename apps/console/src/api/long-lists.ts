import { type InfiniteData, type Query, type QueryClient, type QueryFilters } from '@tanstack/react-query';

/** Maximum number of loaded pages for which a whole list is loaded again. Each page is a request. */
export const MAX_REFRESHED_PAGES = 10;

type Pages = InfiniteData<unknown>;

/** Returns false for a list with too many loaded pages to load them again. */
export function isRefreshable({ state }: Pick<Query, 'state'>): boolean {
  return !isPages(state.data) || state.data.pages.length <= MAX_REFRESHED_PAGES;
}

/** Removes the last pages of long lists. They are loaded again when the reader scrolls to them. */
export function trimLists(queries: QueryClient, filters: QueryFilters = {}): void {
  for (const query of queries.getQueryCache().findAll(filters)) {
    if (isRefreshable(query)) continue;
    const { dataUpdatedAt: updatedAt } = query.state;
    queries.setQueryData<Pages>(query.queryKey, (data) => data && takePages(data), { updatedAt });
  }
}

/** Loads responses again. Long lists keep their first pages only. */
export async function refresh(queries: QueryClient, filters: QueryFilters = {}): Promise<void> {
  trimLists(queries, filters);
  await queries.invalidateQueries(filters);
}

function takePages({ pages, pageParams }: Pages): Pages {
  return { pages: pages.slice(0, MAX_REFRESHED_PAGES), pageParams: pageParams.slice(0, MAX_REFRESHED_PAGES) };
}

function isPages(data: unknown): data is Pages {
  return typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data;
}
