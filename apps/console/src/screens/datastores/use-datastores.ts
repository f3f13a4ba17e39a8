import type { CreateDatastoreRequest, Datastore, UpdateDatastoreRequest } from '@quarry/client';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { refreshQueries } from '../../api/refresh-queries.js';
import { useEffect } from 'react';
import { useClient } from '../../api/client-context.js';
import { usePages, type Pages } from '../../api/use-pages.js';

/** The first part of all cache keys for datastore data. */
const DATASTORES = ['datastores'] as const;

/** Loads the datastores page by page. */
export function useDatastores(): Pages<Datastore> {
  const client = useClient();
  return usePages(DATASTORES, async (cursor, signal) =>
    client.listDatastores({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
}

/** Number of loaded datastores at which `useAllDatastores` stops loading further pages automatically. */
const MAX_LOADED = 500;

/**
 * The datastores, newest first. Further pages load automatically until `MAX_LOADED` datastores are loaded, and after
 * that only when the user scrolls.
 */
export interface AllDatastores extends Pages<Datastore> {
  /**
   * True when no further page loads automatically: all datastores are loaded, loading has failed, or `MAX_LOADED` is
   * reached.
   */
  readonly isSettled: boolean;
}

/** Loads the datastores page by page, newest first, until all datastores or `MAX_LOADED` of them are loaded. */
export function useAllDatastores(): AllDatastores {
  const pages = useDatastores();
  const { items, isPending, more } = pages;
  const isIncomplete = more.hasMore && !more.isLoading && more.error === null && items.length < MAX_LOADED;
  const { onLoad } = more;
  useEffect(() => {
    if (isIncomplete) onLoad();
  }, [isIncomplete, onLoad]);
  return { ...pages, isSettled: !isPending && !more.isLoading && !isIncomplete };
}

/** The input of `useSaveDatastore`: a new datastore, or a change of the datastore `id`. */
export type SaveDatastore =
  | { readonly id?: undefined; readonly request: CreateDatastoreRequest }
  | { readonly id: string; readonly request: UpdateDatastoreRequest };

/** Creates or changes a datastore. */
export function useSaveDatastore(): UseMutationResult<Datastore, Error, SaveDatastore> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (save: SaveDatastore) =>
      save.id === undefined ? client.createDatastore(save.request) : client.updateDatastore(save.id, save.request),
    onSuccess: () => refreshQueries(queries, { queryKey: DATASTORES }),
  });
}

/** Deletes a datastore. */
export function useDeleteDatastore(): UseMutationResult<void, Error, Datastore> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: Datastore) => client.deleteDatastore(id),
    onSuccess: () => refreshQueries(queries, { queryKey: DATASTORES }),
  });
}
