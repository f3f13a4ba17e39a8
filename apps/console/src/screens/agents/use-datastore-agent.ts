import type { Agent, QuarryClient } from '@quarry/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import { MAX_ITEMS_PER_RESPONSE } from '../../api/use-pages.js';

/**
 * Finds the agent that answers from this datastore only; the oldest one if there are several. Returns null if there is
 * none.
 */
export async function findDatastoreAgent(
  client: QuarryClient,
  datastoreId: string,
  options?: { readonly signal: AbortSignal },
): Promise<Agent | null> {
  const agents = await Array.fromAsync(client.listAgents({ limit: MAX_ITEMS_PER_RESPONSE }, options));
  return agents.findLast(({ datastoreIds }) => datastoreIds.length === 1 && datastoreIds[0] === datastoreId) ?? null;
}

/** Loads the agent that `findDatastoreAgent` finds. Sends no request if `isNeeded` is false. */
export function useDatastoreAgent(datastoreId: string, isNeeded: boolean): UseQueryResult<Agent | null> {
  const client = useClient();
  return useQuery({
    queryKey: ['agents', 'of-datastore', datastoreId],
    enabled: isNeeded,
    queryFn: async ({ signal }) => findDatastoreAgent(client, datastoreId, { signal }),
  });
}
