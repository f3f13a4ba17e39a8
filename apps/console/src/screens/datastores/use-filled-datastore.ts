import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';

/** Number of the newest datasources among which a searchable one is searched. */
const NEWEST_DATASOURCES = 20;

export interface FilledDatastore {
  /** The id of the datastore. Undefined while it is being loaded, and if no datastore has content. */
  readonly datastoreId: string | undefined;
  readonly isPending: boolean;
}

/**
 * Finds the datastore of the newest searchable datasource. Forms preselect it, because the newest datastore may be
 * empty.
 *
 * @param isNeeded false to send no request
 */
export function useFilledDatastore(isNeeded: boolean): FilledDatastore {
  const client = useClient();
  const { data, isLoading } = useQuery({
    queryKey: ['filled-datastore'],
    enabled: isNeeded,
    // The result does not change while a form is open. The next form requests it again.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
    queryFn: async ({ signal }) => {
      const { items } = await client.listDatasources({ status: 'synched', limit: NEWEST_DATASOURCES }, { signal });
      return items.find(({ content }) => content.fragments > 0)?.datastoreId ?? null;
    },
  });
  return { datastoreId: data ?? undefined, isPending: isLoading };
}
