import { hashKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { canRefreshWholeQuery, trimLongLists } from './long-lists.js';

/** Maximum number of items in one response of the API, for requests that load a whole list. */
export const MAX_ITEMS_PER_RESPONSE = 200;

/** A page of a list as the API returns it. */
interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** A list whose pages are loaded one after the other. */
export interface Pages<Item> {
  /** The items of all loaded pages. */
  readonly items: readonly Item[];
  /** True until the first page is loaded. */
  readonly isPending: boolean;
  /** The error with which the first page or a refresh of the list failed; null without a failure. */
  readonly error: Error | null;
  readonly refetch: () => void;
  /** The state of the pages that are not loaded yet, for a `Table` or a `VirtualList`. */
  readonly more: {
    readonly hasMore: boolean;
    readonly isLoading: boolean;
    /** The error with which the next page could not be loaded; null without a failure. */
    readonly error: Error | null;
    readonly onLoad: () => void;
  };
}

/** Loads the page after a cursor. Loads the first page if the cursor is undefined. */
export type LoadPage<Item> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>;

export interface PagesOptions<Item> {
  /**
   * Returns the interval at which the loaded pages are refreshed, in milliseconds. Absent: they are not refreshed at
   * intervals.
   */
  readonly refetchMs?: (items: readonly Item[]) => number;
}

/**
 * Loads a list page by page. A list with more than `MAX_REFRESHED_PAGES` loaded pages is not refreshed automatically,
 * because each page needs a request.
 *
 * @param key cache key that identifies the list and its filters
 */
export function usePages<Item>(
  key: readonly unknown[],
  loadPage: LoadPage<Item>,
  { refetchMs }: PagesOptions<Item> = {},
): Pages<Item> {
  const queries = useQueryClient();
  const hash = hashKey(key);
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam, signal }) => loadPage(pageParam, signal),
    initialPageParam: undefined as string | undefined, // the type of the later cursors
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchOnWindowFocus: canRefreshWholeQuery,
    refetchOnReconnect: canRefreshWholeQuery,
    refetchInterval: (list) =>
      canRefreshWholeQuery(list) && (refetchMs?.(list.state.data?.pages.flatMap(({ items }) => items) ?? []) ?? false),
  });
  // The list is trimmed when the user leaves it, because the next visit starts at the top of the list.
  useEffect(() => () => trimLongLists(queries, { predicate: ({ queryHash }) => queryHash === hash }), [queries, hash]);
  const { data, isPending, error, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  return {
    items,
    isPending,
    error: isFetchNextPageError ? null : error,
    refetch: () => void query.refetch(),
    more: {
      hasMore: hasNextPage,
      isLoading: isFetchingNextPage,
      error: isFetchNextPageError ? error : null,
      onLoad: () => {
        if (hasNextPage && !isFetchingNextPage) void query.fetchNextPage();
      },
    },
  };
}
