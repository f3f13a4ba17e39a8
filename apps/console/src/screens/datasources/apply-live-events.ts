import type { Datasource, DatasourceEvent } from '@quarry/client';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import {
  mergeDatasourceEvents,
  selectNewerDatasource,
  type DatasourceQuery,
  type LatestEvents,
} from './merge-datasource-events.js';
import { getDatasourceKey, getDatasourceListKey } from './use-datasources.js';

/** Time for which live events are collected before they update the lists, in milliseconds. */
const LINGER_MS = 100;

interface Page {
  readonly items: readonly Datasource[];
  readonly next_cursor: string | null;
}

/** Updates the cached datasources from live events. */
export interface LiveEventWriter {
  add(event: DatasourceEvent): void;
  stop(): void;
}

/** Creates a writer that updates the cached lists of a datastore's datasources. */
export function createLiveEventWriter(queries: QueryClient, datastoreId: string): LiveEventWriter {
  const pending = new Map<string, DatasourceEvent>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    mergeEventsIntoCache(queries, datastoreId, pending);
    // The response to a request in progress may be older than the events, and replaces the list. The events are then
    // merged again.
    const isLoading = queries.isFetching({ queryKey: getDatasourceListKey(datastoreId) }) > 0;
    if (!isLoading) pending.clear();
    timer = isLoading ? setTimeout(flush, LINGER_MS) : undefined;
  };
  return {
    add: (event) => {
      pending.set(event.type === 'removed' ? event.id : event.datasource.id, event);
      timer ??= setTimeout(flush, LINGER_MS);
    },
    stop: () => clearTimeout(timer),
  };
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
      before === undefined ? undefined : selectNewerDatasource(before, { ...before, ...event.datasource }),
    );
  }
}
