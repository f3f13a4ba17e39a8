import { InfiniteQueryObserver } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createQueryClient } from './create-query-client.js';
import { canRefreshWholeQuery, MAX_REFRESHED_PAGES, trimAndRefreshLists, trimLongLists } from './long-lists.js';

const KEY = ['datasources', 'list'];

/** Opens an infinite list, and loads this number of its pages. */
async function openListWithPages(pages: number) {
  const queries = createQueryClient();
  const requested: number[] = [];
  const observer = new InfiniteQueryObserver(queries, {
    queryKey: KEY,
    queryFn: ({ pageParam }) => {
      requested.push(pageParam);
      return { items: [pageParam] };
    },
    initialPageParam: 0,
    getNextPageParam: (_page, _pages, last) => last + 1,
  });
  onTestFinished(observer.subscribe(() => undefined));
  for (let page = 0; page < pages; page += 1) await observer.fetchNextPage();
  requested.length = 0;
  const [query] = queries.getQueryCache().findAll({ queryKey: KEY });
  if (query === undefined) throw new Error('expected the list in the React Query cache, found none');
  return { queries, observer, query, requested };
}

describe('a list with hundreds of loaded pages', () => {
  it('a refresh of a list with 300 loaded pages reloads only the first `MAX_REFRESHED_PAGES` pages, and scrolling then loads the next page', async () => {
    const { queries, observer, query, requested } = await openListWithPages(300);
    expect(canRefreshWholeQuery(query)).toBe(false);
    await trimAndRefreshLists(queries, { queryKey: KEY });
    expect(requested).toEqual(Array.from({ length: MAX_REFRESHED_PAGES }, (_, page) => page));
    expect(canRefreshWholeQuery(query)).toBe(true);
    await observer.fetchNextPage();
    expect(requested.at(-1)).toBe(MAX_REFRESHED_PAGES);
  });

  it('trimLongLists does not change the time at which a list was loaded, and sends no request', async () => {
    const { queries, query, requested } = await openListWithPages(300);
    const { dataUpdatedAt } = query.state;
    trimLongLists(queries, { queryKey: KEY });
    expect(query.state.dataUpdatedAt).toBe(dataUpdatedAt);
    expect(requested).toEqual([]);
  });
});

describe('a short list', () => {
  it('a refresh of a short list loads all of its pages again', async () => {
    const { queries, query, requested } = await openListWithPages(3);
    expect(canRefreshWholeQuery(query)).toBe(true);
    await trimAndRefreshLists(queries, { queryKey: KEY });
    expect(requested).toEqual([0, 1, 2]);
  });
});
