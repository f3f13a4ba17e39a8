import type { System } from '@quarry/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';

const REFRESH_MS = 5_000;

/** Loads the state of the installation. Refreshes it at intervals while the browser tab is visible. */
export function useSystem(): UseQueryResult<System> {
  const client = useClient();
  return useQuery({
    queryKey: ['system'],
    queryFn: async ({ signal }) => client.getSystem({ signal }),
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: false,
  });
}
