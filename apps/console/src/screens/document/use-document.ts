import type { Datasource, DatasourceDocument, DatasourceFragment } from '@quarry/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../../api/client-context.js';
import { usePages, type Pages } from '../../api/use-pages.js';
import { hasManyDocuments } from '../datasources/has-many-documents.js';

/** Identifies a document. */
export interface DocumentAddress {
  readonly datasourceId: string;
  readonly documentKey: string;
}

const FRAGMENTS_PER_PAGE = 100;
/** Maximum number of fragments that are searched for the selected one without a click of the reader. */
const MAX_LOOKED_THROUGH = 5_000;

export type FragmentPages = Pages<DatasourceFragment> & {
  /** True while the selected fragment is neither loaded nor known to be absent. */
  readonly isLooking: boolean;
};

/** Loads the fragments of a document page by page, until the selected fragment is loaded. */
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
    !isFound && more.hasMore && error === null && more.error === null && items.length < MAX_LOOKED_THROUGH;
  const { isLoading, onLoad } = more;
  useEffect(() => {
    if (isLooking && !isLoading) onLoad();
  }, [isLooking, isLoading, onLoad]);
  return { ...pages, isLooking: isLooking || pages.isPending };
}

/** Loads the datasource of a document. */
export function useDatasource(id: string): UseQueryResult<Datasource> {
  const client = useClient();
  return useQuery({
    queryKey: ['datasources', id],
    queryFn: async ({ signal }) => client.getDatasource(id, { signal }),
  });
}

/** Loads the description of the only document of a datasource. Null: the datasource has many documents. */
export function useOnlyDocument(datasource: Datasource | undefined): UseQueryResult<DatasourceDocument | null> {
  const client = useClient();
  const hasOne = datasource !== undefined && !hasManyDocuments(datasource);
  return useQuery({
    queryKey: ['documents', datasource?.id, 'only'],
    enabled: hasOne,
    queryFn: async ({ signal }) => {
      const { items } = await client.listDocuments(datasource?.id ?? '', { limit: 1 }, { signal });
      return items[0] ?? null;
    },
  });
}
