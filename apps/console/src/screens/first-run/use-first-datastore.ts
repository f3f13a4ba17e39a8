import type { Datastore } from '@quarry/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../api/client-context.js';
import { MAX_ITEMS_PER_RESPONSE } from '../../api/use-pages.js';
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

/** The value of the query parameter `datastore` with which a new datastore is created for the added content. */
export const NEW_DATASTORE = 'new';

export interface FirstDatastore {
  /**
   * The datastore to which content is added. Undefined until it is loaded; for a new datastore, until content is added.
   */
  readonly datastore: Datastore | undefined;
  /** The name that a new datastore would get. Undefined until the names of the existing datastores are loaded. */
  readonly newName: string | undefined;
  /** True if the user has chosen a new datastore, but can return to the datastore of the last steps in this browser. */
  readonly canContinue: boolean;
  /** True if the address contained a datastore when the screen was opened, for example after Back or a reload. */
  readonly isReturn: boolean;
  /** True while the datastore, or the names of the existing datastores, are being loaded. */
  readonly isPending: boolean;
  /** The error with which the datastore could not be loaded; null without a failure. */
  readonly error: Error | null;
  readonly refetch: () => void;
  /** Returns the id of the datastore to which content is added. Creates the datastore if there is none yet. */
  readonly requireDatastore: () => Promise<string>;
}

/**
 * Returns the datastore of the first-steps screen, whose id the address contains. Without an id in the address, opens
 * the datastore of the last steps in this browser, unless it was deleted.
 */
export function useFirstDatastore(): FirstDatastore {
  const openScreen = useOpenScreen();
  const { organization } = useSession();
  const [address] = useSearchParameter('datastore');
  const [isReturn] = useState(address !== undefined);
  const datastoreId = address === NEW_DATASTORE ? undefined : address;
  const last = address === undefined ? readLastSteps(organization.id) : undefined;
  // A cached datastore may have been deleted, so it is loaded again.
  const { data, error, refetch } = useDatastore(datastoreId, { staleTime: 0 });
  const isDeleted = isNotFoundError(error);
  useEffect(() => {
    if (isDeleted && datastoreId !== undefined) {
      removeLastSteps(organization.id, datastoreId);
      openScreen({ to: 'firstRun', isReplacing: true });
    } else if (last !== undefined) {
      const { datastoreId: datastore, conversationId: conversation, runningMessageId: answering } = last;
      const search = { datastore, conversation, answering };
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
  /** True while the names of the existing datastores are being loaded. */
  readonly isPending: boolean;
  readonly create: () => Promise<string>;
}

/**
 * Returns a function that creates a datastore with an unused name. Concurrent calls, such as for several files, create
 * only one datastore.
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
  const loadUsedNames = async (): Promise<readonly string[]> =>
    loadNames(client.listDatastores({ limit: MAX_ITEMS_PER_RESPONSE }));
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
        // The cached datastore prevents a loading state, which would remove the steps and the typed text from the
        // screen.
        queries.setQueryData(getDatastoreKey(id), datastore);
        storeLastSteps(organization.id, { datastoreId: id, conversationId: undefined });
        // After the screen was closed, the address belongs to another screen and must not change.
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
