import type { Agent, QuarryClient } from '@quarry/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';

/** Maximum number of agents, newest first, among which the agent of a datastore is searched. */
const MAX_SEARCHED_AGENTS = 200;

/** Finds the oldest agent that answers from this datastore only. Returns null if there is no such agent. */
export async function findDatastoreAgent(
  client: QuarryClient,
  datastoreId: string,
  options?: { readonly signal: AbortSignal },
): Promise<Agent | null> {
  const { items } = await client.listAgents({ limit: MAX_SEARCHED_AGENTS }, options);
  return items.findLast(({ datastoreIds }) => datastoreIds.length === 1 && datastoreIds[0] === datastoreId) ?? null;
}

/** Loads the oldest agent that answers from this datastore only; null if there is none. */
export function useDatastoreAgent(datastoreId: string, isNeeded: boolean): UseQueryResult<Agent | null> {
  const client = useClient();
  return useQuery({
    queryKey: ['agents', 'of-datastore', datastoreId],
    enabled: isNeeded,
    queryFn: async ({ signal }) => findDatastoreAgent(client, datastoreId, { signal }),
  });
}
