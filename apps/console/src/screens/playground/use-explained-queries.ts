import type { ExplainedQueryResponse } from '@quarry/client';
import { useQueries } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import { buildQueryRequest, DEFAULT_SETTINGS, type SideSettings } from './side-settings.js';

/** The state of a query in one datastore, with its response or error. */
export interface DatastoreOutcome {
  readonly datastoreId: string;
  readonly response: ExplainedQueryResponse | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly retry: () => void;
}

/**
 * Sends a query with the settings of one side of the playground to each of the selected datastores, and returns one outcome
 * per datastore. Also requests explanations of the results. Sends nothing if the settings are
 * undefined or the query is empty.
 */
export function useExplainedQueries(query: string, settings: SideSettings | undefined): readonly DatastoreOutcome[] {
  const client = useClient();
  const ids = settings === undefined || query.trim() === '' ? [] : settings.datastoreIds;
  const results = useQueries({
    queries: ids.map((datastoreId) => {
      const request = buildQueryRequest(query, settings ?? DEFAULT_SETTINGS);
      return {
        queryKey: ['explained-queries', datastoreId, request],
        // Each request counts towards the query limit of the organization, so requests are not repeated automatically.
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
