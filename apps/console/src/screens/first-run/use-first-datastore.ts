import type { Datastore } from '@quarry/client';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useClient } from '../../api/client-context.js';
import { refreshQueries } from '../../api/refresh-queries.js';
import { useMessages } from '../../language/language-context.js';
import { useSearchValue } from '../../routing/screen-link.js';
import { firstRunMessages } from './messages.js';

interface FirstDatastore {
  /** The id of the datastore. Undefined until content is added. */
  readonly datastoreId: string | undefined;
  /** Resolves to the id of the datastore. Creates the datastore at the first call. */
  readonly requireDatastore: () => Promise<string>;
}

/** Returns the datastore of the first run. Its id is in the address, so that a reload uses the same datastore. */
export function useFirstDatastore(): FirstDatastore {
  const client = useClient();
  const queries = useQueryClient();
  const messages = useMessages(firstRunMessages);
  const [datastoreId, setDatastoreId] = useSearchValue('datastore');
  const created = useRef<Promise<Datastore>>(undefined);
  return {
    datastoreId,
    requireDatastore: async () => {
      if (datastoreId !== undefined) return datastoreId;
      // Files that are added at the same time share one request, so that only one datastore is created.
      created.current ??= client.createDatastore({ name: messages.datastoreName });
      try {
        const { id } = await created.current;
        setDatastoreId(id);
        refreshQueries(queries, { queryKey: ['datastores'] });
        return id;
      } catch (error) {
        created.current = undefined;
        throw error;
      }
    },
  };
}
