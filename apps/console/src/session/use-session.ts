import type { Session } from '@quarry/client';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { useClient } from '../api/client-context.js';

/** The cache key of the session. */
export const SESSION_KEY = ['session'] as const;

/**
 * Loads the session. An error with the status 401 means that the browser is not signed in.
 *
 * @param isEnabled false while a sign-in is in progress: a session that is loaded meanwhile would be reported as ended
 */
export function useSessionQuery(isEnabled: boolean): UseQueryResult<Session> {
  const client = useClient();
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }) => client.getSession({ signal }),
    staleTime: Infinity,
    retry: false,
    enabled: isEnabled,
  });
}

const SessionContext = createContext<Session | undefined>(undefined);

/** Provides the session to the screens. */
export const SessionProvider = SessionContext;

/** Returns the session of the reader, with the key and the organization. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('useSession needs a SessionProvider around the component');
  return session;
}

/** Returns the time at which the session began. Event streams end with their session, and are opened again with the next one. */
export function useSessionStart(): string | undefined {
  return useSession().session?.createdAt;
}

/** Returns true if the key of the session has the scope. */
export function useHasScope(scope: Session['key']['scopes'][number]): boolean {
  return useSession().key.scopes.includes(scope);
}

/** Returns a function that ends the session and clears the cache. */
export function useSignOut(): () => Promise<void> {
  const client = useClient();
  const queries = useQueryClient();
  return async () => {
    await client.endSession();
    queries.clear();
    // A new page leaves nothing of the session in memory.
    location.assign(document.baseURI);
  };
}
