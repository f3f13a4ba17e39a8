import type { Datastore } from '@quarry/client';
import { useQueries } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import type { AllDatastores } from '../datastores/use-datastores.js';

/** Names change seldom. A change in this console loads them again. */
const STALE_MS = 300_000;

/**
 * Finds the datastores of an agent. Loads those that are not in the list of the newest datastores, one by one, once that list is loaded.
 * Tables render their visible rows only, so that the other rows load nothing.
 *
 * @returns the datastores that exist, in the order of their ids
 */
export function useNamedDatastores(
  ids: readonly string[],
  { items, isSettled }: Pick<AllDatastores, 'items' | 'isSettled'>,
): readonly Datastore[] {
  const client = useClient();
  const missing = isSettled ? ids.filter((id) => items.every((item) => item.id !== id)) : [];
  const loaded = useQueries({
    queries: missing.map((id) => ({
      queryKey: ['datastores', 'one', id],
      staleTime: STALE_MS,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => client.getDatastore(id, { signal }),
    })),
  });
  const known = [...items, ...loaded.flatMap(({ data }) => data ?? [])];
  return ids.flatMap((id) => known.find((datastore) => datastore.id === id) ?? []);
}
