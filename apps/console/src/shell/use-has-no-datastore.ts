import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';

/**
 * Returns true if the organization has no datastore, and undefined until this is known. Returns false after an error,
 * because the next screen shows its reason.
 *
 * @param canStart false if the key cannot create datastores
 */
export function useHasNoDatastore(canStart: boolean): boolean | undefined {
  const client = useClient();
  const { data, isPending } = useQuery({
    queryKey: ['datastores', 'first'],
    queryFn: async ({ signal }) => client.listDatastores({ limit: 1 }, { signal }),
    enabled: canStart,
  });
  if (!canStart) return false;
  return isPending ? undefined : data?.items.length === 0;
}
