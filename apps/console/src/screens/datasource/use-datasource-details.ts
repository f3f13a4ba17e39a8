import type { Datasource, DatasourceDocument, Run, UpdateDatasourceRequest } from '@quarry/client';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../../api/client-context.js';
import { retryWhileUnavailable } from '../../api/retry-while-unavailable.js';
import { canRefreshWholeQuery } from '../../api/long-lists.js';
import { refreshQueries } from '../../api/refresh-queries.js';
import { usePages, type Pages } from '../../api/use-pages.js';
import { useSessionStartTime } from '../../session/use-session.js';
import { selectNewerDatasource } from '../datasources/merge-datasource-events.js';
import { getDatasourceKey } from '../datasources/use-datasources.js';

export type Outcome = NonNullable<DatasourceDocument['outcome']>;

/**
 * Delay between a live event and the requests that reload the documents, in milliseconds. Events during the delay cause
 * no further requests.
 */
const DOCUMENTS_LINGER_MS = 1_500;

/** Loads the runs of a datasource, newest first. */
export function useDatasourceRuns(id: string): Pages<Run> {
  const client = useClient();
  return usePages(['runs', id], async (cursor, signal) =>
    client.listRuns(id, { limit: 20, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
}

/**
 * Loads the documents of a datasource, ordered by document key. If `outcome` is defined, loads only documents with this
 * outcome.
 */
export function useDatasourceDocuments(id: string, outcome: Outcome | undefined): Pages<DatasourceDocument> {
  const client = useClient();
  return usePages(['documents', id, outcome ?? ''], async (cursor, signal) => {
    const page = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    return client.listDocuments(id, { ...page, ...(outcome === undefined ? {} : { outcome }) }, { signal });
  });
}

/** Updates the cached datasource from live events, and reloads its runs and documents after changes. */
export function useLiveDatasource(id: string): void {
  const client = useClient();
  const queries = useQueryClient();
  const sessionStart = useSessionStartTime();
  useEffect(() => {
    const abort = new AbortController();
    let step = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = async (): Promise<void> => {
      for await (const event of client.watchDatasource(id, { signal: abort.signal })) {
        if (event.type === 'removed') {
          await queries.invalidateQueries({ queryKey: getDatasourceKey(id) });
          return;
        }
        const { datasource } = event;
        queries.setQueryData<Datasource>(getDatasourceKey(id), (before) =>
          selectNewerDatasource(before, { ...before, ...datasource }),
        );
        const next = `${datasource.run?.id ?? ''} ${datasource.status} ${datasource.run?.stage ?? ''}`;
        if (next !== step) void queries.invalidateQueries({ queryKey: ['runs', id] });
        step = next;
        timer ??= setTimeout(() => {
          timer = undefined;
          void queries.invalidateQueries({ queryKey: ['documents', id], predicate: canRefreshWholeQuery });
        }, DOCUMENTS_LINGER_MS);
      }
    };
    // An error that ends the stream needs no notice: the screen itself shows the reason, such as a deleted datasource.
    retryWhileUnavailable(watch, abort.signal).catch(
      () => abort.signal.aborted || void queries.invalidateQueries({ queryKey: getDatasourceKey(id) }),
    );
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [client, id, queries, sessionStart]);
}

/** The options of a sync, which are false if absent. */
export interface SyncOptions {
  readonly dryRun?: boolean;
  readonly full?: boolean;
  readonly allowMassRemoval?: boolean;
}

/** Starts a sync of a datasource. */
export function useStartSync(id: string): UseMutationResult<Datasource, Error, SyncOptions> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (options: SyncOptions) => client.syncDatasource(id, options),
    onSuccess: (datasource) => {
      queries.setQueryData(getDatasourceKey(id), datasource);
      refreshQueries(queries, { queryKey: ['runs', id] });
    },
  });
}

/** Changes the name or the configuration of a datasource. */
export function useUpdateDatasource(id: string): UseMutationResult<Datasource, Error, UpdateDatasourceRequest> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change: UpdateDatasourceRequest) => client.updateDatasource(id, change),
    onSuccess: (datasource) => {
      queries.setQueryData<Datasource>(getDatasourceKey(id), (before) => ({ ...before, ...datasource }));
    },
  });
}
