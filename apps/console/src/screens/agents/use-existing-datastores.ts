import type { Datastore } from '@quarry/client';
import { useQueries } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import type { AllDatastores } from '../datastores/use-datastores.js';

/**
 * Time after which a loaded datastore is requested again, in milliseconds. When the user changes a datastore in this
 * console, the loaded datastores are requested again at once.
 */
const STALE_MS = 300_000;

/**
 * Returns the datastores with these ids, in the order of the ids, without deleted ones. `items` contains the newest
 * datastores. When `isSettled` is true, requests each datastore that `items` does not contain. Tables call this hook
 * only for visible rows.
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
