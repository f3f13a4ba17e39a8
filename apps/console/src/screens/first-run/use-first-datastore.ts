import type { Datastore } from '@quarry/client';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useClient } from '../../api/client-context.js';
import { useMessages } from '../../language/language-context.js';
import { useSearchValue } from '../../routing/screen-link.js';
import { firstRunMessages } from './messages.js';

interface FirstDatastore {
  /** Undefined until something is added. */
  readonly datastoreId: string | undefined;
  /** Returns the datastore, and creates it for the first content. */
  readonly requireDatastore: () => Promise<string>;
}

/** Returns the datastore of the first steps. Its id is in the address, so that it is the same after a reload. */
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
      // Several files that are added at once share one datastore.
      created.current ??= client.createDatastore({ name: messages.datastoreName });
      try {
        const { id } = await created.current;
        setDatastoreId(id);
        await queries.invalidateQueries({ queryKey: ['datastores'] });
        return id;
      } catch (error) {
        created.current = undefined;
        throw error;
      }
    },
  };
}
