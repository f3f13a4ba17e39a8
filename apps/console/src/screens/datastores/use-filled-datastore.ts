import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';

/** Number of the newest datasources that are looked at. */
const LOOKED_AT = 20;

export interface FilledDatastore {
  /** Undefined while it is loaded, and if no datastore has content. */
  readonly datastoreId: string | undefined;
  readonly isPending: boolean;
}

/**
 * Finds the datastore of the newest searchable datasource. Forms preselect it, because the newest datastore may be empty.
 *
 * @param isNeeded false: sends no request
 */
export function useFilledDatastore(isNeeded: boolean): FilledDatastore {
  const client = useClient();
  const { data, isLoading } = useQuery({
    queryKey: ['filled-datastore'],
    enabled: isNeeded,
    // A form that is open keeps its choice. The next one loads it again.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
    queryFn: async ({ signal }) => {
      const { items } = await client.listDatasources({ status: 'synched', limit: LOOKED_AT }, { signal });
      return items.find(({ content }) => content.fragments > 0)?.datastoreId ?? null;
    },
  });
  return { datastoreId: data ?? undefined, isPending: isLoading };
}
