import type { CreateDatastoreRequest, Datastore, UpdateDatastoreRequest } from '@quarry/client';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { refreshQueries } from '../../api/refresh-queries.js';
import { useEffect } from 'react';
import { useClient } from '../../api/client-context.js';
import { usePages, type Pages } from '../../api/use-pages.js';

/** The prefix of the cache keys of all data about datastores. */
const DATASTORES = ['datastores'] as const;

/** Loads the datastores page by page. */
export function useDatastores(): Pages<Datastore> {
  const client = useClient();
  return usePages(DATASTORES, async (cursor, signal) =>
    client.listDatastores({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
}

/** Number of datastores at which `useAllDatastores` stops loading further pages by itself. */
const MAX_LOADED = 500;

/**
 * The datastores, newest first. Further pages load by themselves until `MAX_LOADED` datastores are loaded, and after
 * that only when the user scrolls.
 */
export interface AllDatastores extends Pages<Datastore> {
  /**
   * True when no further page is loaded without scrolling, because the list has ended, failed or reached `MAX_LOADED`.
   */
  readonly isSettled: boolean;
}

/** Loads the datastores page by page, newest first, until `MAX_LOADED` datastores are loaded or the list has ended. */
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
