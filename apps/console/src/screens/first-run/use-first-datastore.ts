import type { Datastore } from '@quarry/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../api/client-context.js';
import { refreshQueries } from '../../api/refresh-queries.js';
import { isNotFoundError } from '../../components/explain-error.js';
import { useMessages } from '../../language/language-context.js';
import { useOpenScreen, useSearchParameter } from '../../routing/screen-link.js';
import { useSession } from '../../session/use-session.js';
import { getDatastoreKey, useDatastore } from '../datasources/use-datasources.js';
import { findFreeName } from './find-free-name.js';
import { readLastSteps, removeLastSteps, storeLastSteps } from './last-steps.js';
import { loadNames } from './load-names.js';
import { firstRunMessages } from './messages.js';

/** The value of the address for content that gets a new datastore. */
export const NEW_DATASTORE = 'new';

export interface FirstDatastore {
  /** The datastore of the content. Undefined until something is added. */
  readonly datastore: Datastore | undefined;
  /** The name that a new datastore gets. Undefined while it is not known. */
  readonly newName: string | undefined;
  /**
   * True if the content gets a new datastore, but the user can return to the last datastore, which this browser has
   * stored.
   */
  readonly canContinue: boolean;
  /** True if the screen was opened by an address with a datastore, such as with Back or a reload. */
  readonly isReturn: boolean;
  /** True until it is known whether there is a datastore. */
  readonly isPending: boolean;
  /** The reason why the datastore could not be loaded. */
  readonly error: Error | null;
  readonly refetch: () => void;
  /** Returns the id of the datastore, and creates the datastore for the first content. */
  readonly requireDatastore: () => Promise<string>;
}

/**
 * Returns the datastore of the first steps, whose id is in the address. If the address has no id, the last steps of the
 * organization in this browser continue, unless their datastore was deleted.
 */
export function useFirstDatastore(): FirstDatastore {
  const openScreen = useOpenScreen();
  const { organization } = useSession();
  const [address] = useSearchParameter('datastore');
  const [isReturn] = useState(address !== undefined);
  const datastoreId = address === NEW_DATASTORE ? undefined : address;
  const last = address === undefined ? readLastSteps(organization.id) : undefined;
  // The datastore may have been deleted since it was loaded.
  const { data, error, refetch } = useDatastore(datastoreId, { staleTime: 0 });
  const isDeleted = isNotFoundError(error);
  useEffect(() => {
    if (isDeleted && datastoreId !== undefined) {
      removeLastSteps(organization.id, datastoreId);
      openScreen({ to: 'firstRun', isReplacing: true });
    } else if (last !== undefined) {
      const search = { datastore: last.datastoreId, conversation: last.conversationId };
      openScreen({ to: 'firstRun', search, isReplacing: true });
    }
  });
  const { newName, create, isPending } = useNewDatastore(datastoreId === undefined && last === undefined);
  const isLoading = datastoreId === undefined ? isPending : data === undefined && error === null;
  return {
    ...{ newName, isReturn },
    canContinue: address === NEW_DATASTORE && readLastSteps(organization.id) !== undefined,
    datastore: datastoreId === undefined ? undefined : data,
    isPending: last !== undefined || isDeleted || isLoading,
    error: isDeleted || data !== undefined ? null : error,
    refetch: () => void refetch(),
    requireDatastore: async () => datastoreId ?? last?.datastoreId ?? create(),
  };
}

interface NewDatastore {
  readonly newName: string | undefined;
  /** True while the names of the other datastores are loaded. */
  readonly isPending: boolean;
  readonly create: () => Promise<string>;
}

/**
 * Creates a datastore with a name that no other datastore has. Several files that are added at once share the
 * datastore.
 */
function useNewDatastore(isNew: boolean): NewDatastore {
  const client = useClient();
  const queries = useQueryClient();
  const openScreen = useOpenScreen();
  const { organization } = useSession();
  const { datastoreName } = useMessages(firstRunMessages);
  const created = useRef<Promise<Datastore>>(undefined);
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  useEffect(() => {
    if (!isNew) created.current = undefined;
  }, [isNew]);
  const loadUsedNames = async (): Promise<readonly string[]> => loadNames(client.listDatastores({ limit: 200 }));
  const names = useQuery({ queryKey: ['datastores', 'names'], queryFn: loadUsedNames, enabled: isNew });
  const createDatastore = async (): Promise<Datastore> =>
    client.createDatastore({ name: findFreeName(datastoreName, await loadUsedNames()) });
  return {
    newName: names.data === undefined ? undefined : findFreeName(datastoreName, names.data),
    isPending: names.isLoading,
    create: async () => {
      created.current ??= createDatastore();
      try {
        const datastore = await created.current;
        const { id } = datastore;
        // The steps stay on the screen, with what is typed in them.
        queries.setQueryData(getDatastoreKey(id), datastore);
        storeLastSteps(organization.id, { datastoreId: id, conversationId: undefined });
        // After the screen was closed, the address belongs to another screen.
        if (isOpen.current) openScreen({ to: 'firstRun', search: { datastore: id }, isReplacing: true });
        refreshQueries(queries, { queryKey: ['datastores'] });
        return id;
      } catch (error) {
        created.current = undefined;
        throw error;
      }
    },
  };
}
