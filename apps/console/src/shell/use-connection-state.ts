import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { trimAndRefreshLists } from '../api/long-lists.js';
import { probeServer, waitUntilReachable } from '../api/wait-until-reachable.js';

/** The state of the connection to Quarry: `offline` without a network, `unreachable` if Quarry does not respond. */
export type ConnectionState = 'connected' | 'offline' | 'unreachable';

/**
 * Returns the state of the connection to Quarry. After a request without a response, sends a test request every two
 * seconds. After the first response to a test request, reloads the data of the screens.
 *
 * @param hasFailed true from a request without a response until `onRecovered` is called
 * @param onRecovered called when Quarry responds again
 */
export function useConnectionState(hasFailed: boolean, onRecovered: () => void): ConnectionState {
  const isOnline = useSyncExternalStore(subscribeToNetworkState, () => navigator.onLine);
  const queries = useQueryClient();
  const isProbing = hasFailed && isOnline;
  useEffect(() => {
    if (!isProbing) return undefined;
    let isEnded = false;
    const recover = async (): Promise<void> => {
      await waitUntilReachable(async () => isEnded || probeServer());
      if (isEnded) return;
      onRecovered();
      await trimAndRefreshLists(queries);
    };
    void recover();
    return () => {
      isEnded = true;
    };
  }, [isProbing, onRecovered, queries]);
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
