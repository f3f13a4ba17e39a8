import type { Session } from '@quarry/client';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { useClient } from '../api/client-context.js';
import { getSessionChannel } from './session-channel.js';

/** The cache key of the session. */
export const SESSION_KEY = ['session'] as const;

/**
 * Loads the session of the browser. An error with the status 401 means that the user is not signed in.
 *
 * @param isEnabled false during a sign-in, because the response 401 to an earlier request would be reported as the end
 *   of the session
 * @param onLoaded called before the screens receive the session, which may differ after a sign-in in another tab
 */
export function useSessionQuery(isEnabled: boolean, onLoaded: (session: Session) => void): UseQueryResult<Session> {
  const client = useClient();
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }) => {
      const session = await client.getSession({ signal });
      onLoaded(session);
      return session;
    },
    staleTime: Infinity,
    // Without a session, a refetch would replace the sign-in page and discard the typed key.
    refetchOnWindowFocus: ({ state }) => state.data !== undefined && 'always',
    retry: false,
    enabled: isEnabled,
  });
}

const SessionContext = createContext<Session | undefined>(undefined);

/** React context provider of the session, which the screens read with `useSession`. */
export const SessionProvider = SessionContext;

/** Returns the session of the user, with its API key and its organization. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined)
    throw new Error('expected a SessionProvider around the component that calls useSession, found none');
  return session;
}

/**
 * Returns the time at which the session started, in ISO 8601; undefined if the API was called with a key instead of a
 * session. Streams of live events end with their session, so effects that open them depend on this value and open them
 * again in the next session.
 */
export function useSessionStartTime(): string | undefined {
  return useSession().session?.createdAt;
}

/** Returns true if the API key of the session has this scope. */
export function useHasScope(scope: Session['key']['scopes'][number]): boolean {
  return useSession().key.scopes.includes(scope);
}

/** Returns a function that ends the session in all tabs, clears the cache and reloads the page. */
export function useSignOut(): () => Promise<void> {
  const client = useClient();
  const queries = useQueryClient();
  return async () => {
    await client.endSession();
    getSessionChannel().postMessage('signed-out');
    queries.clear();
    // Loading the page again removes all data of the session from memory.
    location.assign(document.baseURI);
  };
}
