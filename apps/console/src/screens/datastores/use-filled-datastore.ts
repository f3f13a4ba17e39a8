import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';

/** Number of newest datasources that are searched for a datasource with content. */
const NEWEST_DATASOURCES = 20;

export interface FilledDatastore {
  /**
   * The id of a datastore with content. Undefined until it is loaded, and if none of the newest datasources has
   * content.
   */
  readonly datastoreId: string | undefined;
  readonly isPending: boolean;
}

/**
 * Finds the datastore that contains the newest datasource with content. Forms preselect this datastore, because the
 * newest datastore may be empty.
 *
 * @param isNeeded false to send no request
 */
export function useFilledDatastore(isNeeded: boolean): FilledDatastore {
  const client = useClient();
  const { data, isLoading } = useQuery({
    queryKey: ['filled-datastore'],
    enabled: isNeeded,
    // The preselected datastore must not change while a form is open. The next form requests it again.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
    queryFn: async ({ signal }) => {
      const { items } = await client.listDatasources({ status: 'synched', limit: NEWEST_DATASOURCES }, { signal });
      return items.find(({ content }) => content.fragments > 0)?.datastoreId ?? null;
    },
  });
  return { datastoreId: data ?? undefined, isPending: isLoading };
}
