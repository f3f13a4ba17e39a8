import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useClient } from '../api/client-context.js';
import { isUnreachableError } from '../api/create-observed-fetch.js';
import { trimAndRefreshLists } from '../api/long-lists.js';

const PROBE_MS = 2_000;

/** The state of the connection to Quarry: `offline` without a network, `unreachable` if Quarry does not respond. */
export type ConnectionState = 'connected' | 'offline' | 'unreachable';

/**
 * Returns the state of the connection to Quarry. After a request without a response, sends a test request at once and
 * every two seconds. After the first response to a test request, reloads the data of the screens.
 *
 * @param hasFailed true from a request without a response until `onRecovered` is called
 * @param onRecovered called when Quarry responds again
 */
export function useConnectionState(hasFailed: boolean, onRecovered: () => void): ConnectionState {
  const isOnline = useSyncExternalStore(subscribeToNetworkState, () => navigator.onLine);
  const client = useClient();
  const queries = useQueryClient();
  const isProbing = hasFailed && isOnline;
  useEffect(() => {
    if (!isProbing) return undefined;
    const abort = new AbortController();
    const probe = async (): Promise<void> => {
      const isBack = await client.getSession({ signal: abort.signal }).then(
        () => true,
        (error: unknown) => !isUnreachableError(error),
      );
      if (!isBack || abort.signal.aborted) return;
      onRecovered();
      await trimAndRefreshLists(queries);
    };
    void probe();
    const timer = setInterval(() => void probe(), PROBE_MS);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [client, isProbing, onRecovered, queries]);
  if (!isOnline) return 'offline';
  return hasFailed ? 'unreachable' : 'connected';
}

function subscribeToNetworkState(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
