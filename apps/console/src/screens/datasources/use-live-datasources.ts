import type { Datasource, DatasourceEvent } from '@quarry/client';
import { useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../../api/client-context.js';
import { retryWhileUnavailable } from '../../api/retry-while-unavailable.js';
import { trimAndRefreshLists } from '../../api/long-lists.js';
import { useSessionStartTime } from '../../session/use-session.js';
import { mergeDatasourceEvents, type DatasourceQuery, type LatestEvents } from './merge-datasource-events.js';
import { getDatasourceKey, getDatasourceListKey } from './use-datasources.js';

/** Time for which live events are collected before they update the lists, in milliseconds. */
const LINGER_MS = 100;

interface Page {
  readonly items: readonly Datasource[];
  readonly next_cursor: string | null;
}

/** Updates the lists of the datasources of a datastore from live events. */
export function useLiveDatasources(datastoreId: string): void {
  const client = useClient();
  const queries = useQueryClient();
  const sessionStart = useSessionStartTime();
  useEffect(() => {
    const abort = new AbortController();
    const pending = new Map<string, DatasourceEvent>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = (): void => {
      timer = undefined;
      mergeEventsIntoCache(queries, datastoreId, pending);
      pending.clear();
    };
    const watch = async (): Promise<void> => {
      for await (const event of client.watchDatastore(datastoreId, { signal: abort.signal })) {
        if (event.type === 'reset') {
          await reloadDatasourceLists(queries, datastoreId);
          continue;
        }
        pending.set(event.type === 'removed' ? event.id : event.datasource.id, event);
        timer ??= setTimeout(flush, LINGER_MS);
      }
    };
    // An error that ends the stream needs no notice: the list itself shows the reason, such as a deleted datastore.
    retryWhileUnavailable(watch, abort.signal).catch(
      () => abort.signal.aborted || void reloadDatasourceLists(queries, datastoreId),
    );
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [client, datastoreId, queries, sessionStart]);
}

/**
 * Reloads the lists of a datastore's datasources. First waits for the list requests in progress, because their
 * responses may be older than the live events.
 */
async function reloadDatasourceLists(queries: QueryClient, datastoreId: string): Promise<void> {
  const filter = { queryKey: getDatasourceListKey(datastoreId) };
  if (queries.isFetching(filter) > 0) await queries.refetchQueries(filter, { cancelRefetch: false });
  void trimAndRefreshLists(queries, filter);
}

function mergeEventsIntoCache(queries: QueryClient, datastoreId: string, events: LatestEvents): void {
  for (const query of queries.getQueryCache().findAll({ queryKey: getDatasourceListKey(datastoreId) })) {
    const selected = (query.queryKey[3] ?? {}) as DatasourceQuery; // as `useDatasources` builds the key
    queries.setQueryData<InfiniteData<Page>>(query.queryKey, (data) =>
      data === undefined ? undefined : { ...data, pages: [...mergeDatasourceEvents(data.pages, events, selected)] },
    );
  }
  for (const event of events.values()) {
    if (event.type === 'removed') continue;
    queries.setQueryData<Datasource>(getDatasourceKey(event.datasource.id), (before) =>
      before === undefined ? undefined : { ...before, ...event.datasource },
    );
  }
}
