import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';

/**
 * The name of the datastore that the first start of an installation creates (`loadOrCreateSample` in apps/standalone).
 */
const SAMPLE_NAME = 'Quarry documentation';

/**
 * Returns true if the organization has no datastores, or only the sample datastore. Returns undefined until the
 * datastores are loaded. Returns false after an error, because the screen that opens then shows the error.
 *
 * @param canCreateDatastores false if the API key cannot create datastores; the function then returns false without a
 *   request
 */
export function useLacksOwnDatastore(canCreateDatastores: boolean): boolean | undefined {
  const client = useClient();
  const { data, isPending } = useQuery({
    queryKey: ['datastores', 'first'],
    queryFn: async ({ signal }) => client.listDatastores({ limit: 2 }, { signal }),
    enabled: canCreateDatastores,
  });
  if (!canCreateDatastores) return false;
  if (isPending) return undefined;
  return data !== undefined && data.items.length < 2 && data.items.every(({ name }) => name === SAMPLE_NAME);
}
