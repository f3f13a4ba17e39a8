import type { Datasource, Datastore } from '@quarry/client';
import { skipToken, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import { usePages, type Pages } from '../../api/use-pages.js';
import { selectNewerDatasource, type DatasourceQuery } from './merge-datasource-events.js';

/**
 * Numbers of datasources per page. The first page is small, so that the list appears quickly. The next pages are large,
 * so that scrolling needs few requests.
 */
const PAGE_SIZES = { first: 50, next: 200 };
/**
 * Interval at which the place in the queue is requested again for each visible datasource that waits, in milliseconds.
 */
const PLACE_REFRESH_MS = 10_000;

/**
 * Builds the common prefix of the cache keys of all lists of a datastore's datasources. In the key of a list, its
 * filters and order follow the prefix.
 */
export function getDatasourceListKey(datastoreId: string): readonly [string, string, string] {
  return ['datasources', 'list', datastoreId];
}

/** Builds the cache key of a datasource. */
export function getDatasourceKey(id: string): readonly [string, string, string] {
  return ['datasources', 'one', id];
}

/** Builds the cache key of a datastore. */
export function getDatastoreKey(id: string | undefined): readonly [string, string, string | undefined] {
  return ['datastores', 'one', id];
}

/** Loads the datasources of a datastore page by page. */
export function useDatasources(datastoreId: string, query: DatasourceQuery): Pages<Datasource> {
  const client = useClient();
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
  return usePages([...getDatasourceListKey(datastoreId), given], async (cursor, signal) =>
    client.listDatasources(
      {
        datastoreId,
        ...given,
        ...(cursor === undefined ? { limit: PAGE_SIZES.first } : { limit: PAGE_SIZES.next, cursor }),
      },
      { signal },
    ),
  );
}

/** Loads a datastore. Sends no request while the id is undefined. */
export function useDatastore(
  id: string | undefined,
  options: { readonly staleTime?: number } = {},
): UseQueryResult<Datastore> {
  const client = useClient();
  return useQuery({
    ...options,
    queryKey: getDatastoreKey(id),
    queryFn: id === undefined ? skipToken : async ({ signal }) => client.getDatastore(id, { signal }),
  });
}

/** Loads a datasource. */
export function useDatasource(id: string): UseQueryResult<Datasource> {
  const client = useClient();
  const queries = useQueryClient();
  return useQuery({
    queryKey: getDatasourceKey(id),
    queryFn: async ({ queryKey, signal }) => {
      const loaded = await client.getDatasource(id, { signal });
      // A live event that arrived during the request may be newer than the response.
      return selectNewerDatasource(queries.getQueryData(queryKey), loaded);
    },
  });
}

/**
 * Loads the place of a datasource's job in the queue. Returns undefined until it is loaded, and if the datasource does
 * not wait for a worker.
 */
export function useQueuePosition({ id, status }: Pick<Datasource, 'id' | 'status'>): Datasource['queue'] {
  const client = useClient();
  const isWaiting = status === 'pending';
  const { data } = useQuery({
    queryKey: ['datasources', 'place', id],
    queryFn: async ({ signal }) => (await client.getDatasource(id, { signal })).queue ?? null,
    enabled: isWaiting,
    refetchInterval: PLACE_REFRESH_MS,
    staleTime: PLACE_REFRESH_MS,
  });
  return isWaiting ? (data ?? undefined) : undefined;
}

/** Returns true if a datasource of the datastore is indexed. Returns false until this is loaded. */
export function useHasSynchedDatasource(datastoreId: string): boolean {
  return useDatasources(datastoreId, { status: 'synched' }).items.length > 0;
}
