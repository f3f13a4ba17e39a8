import type { Datastore } from '@quarry/client';
import { useQueries } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import type { AllDatastores } from '../datastores/use-datastores.js';

/**
 * Time for which a loaded datastore is used without another request, in milliseconds. After a change of a datastore in
 * this console, it is loaded again at once.
 */
const STALE_MS = 300_000;

/**
 * Returns the datastores of an agent in the order of the ids. Omits deleted datastores. Once the list of the newest
 * datastores is loaded, requests each datastore of the agent that the list does not contain. Tables render only their
 * visible rows, so only visible rows send requests.
 */
export function useExistingDatastores(
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
