import type { DatasourceDocument, DatasourceFragment } from '@quarry/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../../api/client-context.js';
import { usePages, type Pages } from '../../api/use-pages.js';

/** The key of a document, and the id of its datasource. */
export interface DocumentAddress {
  readonly datasourceId: string;
  readonly documentKey: string;
}

const FRAGMENTS_PER_PAGE = 100;
/** Number of loaded fragments at which the automatic search for the selected fragment stops. */
const MAX_SEARCHED_FRAGMENTS = 5_000;

export type FragmentPages = Pages<DatasourceFragment> & {
  /** True until the first page is loaded, and while further pages are loaded to find the selected fragment. */
  readonly isLooking: boolean;
};

/**
 * Loads the fragments of a document page by page. Loads further pages without scrolling until the selected fragment is
 * found or `MAX_SEARCHED_FRAGMENTS` are loaded.
 */
export function useFragments(
  { datasourceId, documentKey }: DocumentAddress,
  selectedId: string | undefined,
): FragmentPages {
  const client = useClient();
  const pages = usePages(['fragments', datasourceId, documentKey], async (cursor, signal) =>
    client.listFragments(
      datasourceId,
      { documentKey, limit: FRAGMENTS_PER_PAGE, ...(cursor === undefined ? {} : { cursor }) },
      { signal },
    ),
  );
  const { items, error, more } = pages;
  const isFound = selectedId === undefined || items.some(({ id }) => id === selectedId);
  const isLooking =
    !isFound && more.hasMore && error === null && more.error === null && items.length < MAX_SEARCHED_FRAGMENTS;
  const { isLoading, onLoad } = more;
  useEffect(() => {
    if (isLooking && !isLoading) onLoad();
  }, [isLooking, isLoading, onLoad]);
  return { ...pages, isLooking: isLooking || pages.isPending };
}

/** Loads the properties of a document; null if the datasource has no document with this key. */
export function useDocument({ datasourceId, documentKey }: DocumentAddress): UseQueryResult<DatasourceDocument | null> {
  const client = useClient();
  return useQuery({
    queryKey: ['documents', datasourceId, 'key', documentKey],
    queryFn: async ({ signal }) => {
      const { items } = await client.listDocuments(datasourceId, { documentKey, limit: 1 }, { signal });
      return items[0] ?? null;
    },
  });
}
