import type { ExplainedQueryResponse } from '@quarry/client';
import { useQueries } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import { buildQueryRequest, DEFAULT_SETTINGS, type SideSettings } from './side-settings.js';

/** The response of one datastore, or the state of the request to it. */
export interface DatastoreOutcome {
  readonly datastoreId: string;
  readonly response: ExplainedQueryResponse | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly retry: () => void;
}

/** Sends the query to each datastore of a side. Sends nothing without settings or with an empty query. */
export function useExplainedQueries(query: string, settings: SideSettings | undefined): readonly DatastoreOutcome[] {
  const client = useClient();
  const ids = settings === undefined || query.trim() === '' ? [] : settings.datastoreIds;
  const results = useQueries({
    queries: ids.map((datastoreId) => {
      const request = buildQueryRequest(query, settings ?? DEFAULT_SETTINGS);
      return {
        queryKey: ['explained-queries', datastoreId, request],
        // Each request counts as a query of the organization, so it is not repeated automatically.
        staleTime: Infinity,
        retry: false,
        refetchOnWindowFocus: false,
        queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
          client.explainDatastoreQuery(datastoreId, request, { signal }),
      };
    }),
  });
  return results.map(({ data, error, isFetching, refetch }, at) => ({
    datastoreId: ids[at] ?? '',
    response: data,
    error,
    isFetching,
    retry: () => void refetch(),
  }));
}
