import type { DatasourceDocument, DatasourceFragment } from '@quarry/client';
import { getMaxOverlapTokens } from '@quarry/text-analysis/overlap';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../../api/client-context.js';
import { usePages, type Pages } from '../../api/use-pages.js';
import { useDatasource, useDatastore } from '../datasources/use-datasources.js';

/** The key of a document, and the id of its datasource. */
export interface DocumentAddress {
  readonly datasourceId: string;
  readonly documentKey: string;
}

const FRAGMENTS_PER_PAGE = 100;
/**
 * Number of fragments that the search for the selected fragment loads before it pauses. The API cannot list the
 * fragments from a given fragment on.
 */
const SEARCHED_FRAGMENTS = 5_000;

/**
 * The state of the search for the selected fragment. `paused`: the fragment may be among the fragments that are not
 * loaded, but the limit is reached or a request has failed. `missing`: all fragments are loaded without it.
 */
export type FragmentSearchState = 'found' | 'running' | 'paused' | 'missing';

export type FragmentPages = Pages<DatasourceFragment> & {
  readonly search: FragmentSearchState;
  /** Continues a paused search with the next `SEARCHED_FRAGMENTS`. */
  readonly continueSearch: () => void;
};

/** The fragments of a document that are loaded so far, and the state of the others. */
export type LoadedFragments = Pick<Pages<DatasourceFragment>, 'items' | 'isPending' | 'error'> & {
  readonly more: Pick<Pages<DatasourceFragment>['more'], 'hasMore' | 'error'>;
};

/**
 * Returns the state of the search for a fragment. Without a selected fragment, the state is `found`.
 *
 * @param limit number of loaded fragments at which the search pauses
 */
export function getFragmentSearchState(
  selectedId: string | undefined,
  { items, isPending, error, more }: LoadedFragments,
  limit: number,
): FragmentSearchState {
  if (selectedId === undefined || items.some(({ id }) => id === selectedId)) return 'found';
  if (isPending) return 'running';
  if (error !== null || more.error !== null) return 'paused';
  if (!more.hasMore) return 'missing';
  return items.length < limit ? 'running' : 'paused';
}

/**
 * Loads the fragments of a document page by page. Loads further pages without scrolling until the selected fragment is
 * found or the search pauses.
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
  const [limit, setLimit] = useState(SEARCHED_FRAGMENTS);
  const search = getFragmentSearchState(selectedId, pages, limit);
  const { items, error, refetch, more } = pages;
  const { isLoading, onLoad } = more;
  useEffect(() => {
    if (search === 'running' && !isLoading) onLoad();
  }, [search, isLoading, onLoad]);
  const continueSearch = (): void => {
    setLimit(items.length + SEARCHED_FRAGMENTS);
    if (error === null) onLoad();
    else refetch();
  };
  return { ...pages, search, continueSearch };
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

/** Returns the maximum overlap of the fragments of a datasource in tokens. Returns 0 until it is loaded. */
export function useOverlapTokens({ datasourceId }: Pick<DocumentAddress, 'datasourceId'>): number {
  const { data: datasource } = useDatasource(datasourceId);
  const { data: datastore } = useDatastore(datasource?.datastoreId);
  return datastore === undefined ? 0 : getMaxOverlapTokens(datastore.splitting);
}
