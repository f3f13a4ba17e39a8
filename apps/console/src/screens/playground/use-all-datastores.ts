import type { Datasource, Datastore } from '@quarry/client';
import { useEffect } from 'react';
import { useClient } from '../../api/client-context.js';
import { usePages, type Pages } from '../../api/use-pages.js';

const MAX_DATASTORES = 500;

/** Loads the datastores that can be selected for a query. */
export function useAllDatastores(): Pages<Datastore> & { readonly datastores: readonly Datastore[] } {
  const client = useClient();
  const pages = usePages(['datastores', 'choices'], async (cursor, signal) =>
    client.listDatastores({ limit: 100, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
  const { items, more } = pages;
  const isIncomplete = more.hasMore && !more.isLoading && more.error === null && items.length < MAX_DATASTORES;
  const { onLoad } = more;
  useEffect(() => {
    if (isIncomplete) onLoad();
  }, [isIncomplete, onLoad]);
  return { ...pages, datastores: items };
}

/** Loads the datasources of a datastore page by page. */
export function useDatasourceChoices(datastoreId: string): Pages<Datasource> {
  const client = useClient();
  return usePages(['datasources', 'choices', datastoreId], async (cursor, signal) =>
    client.listDatasources({ datastoreId, limit: 50, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
}
