import { QuarryError } from '@quarry/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

const MAX_RETRIES = 2;
const STALE_MS = 5_000;

/** The parts of the shell that react to failed requests. */
export interface RequestEvents {
  /** The session has ended: the API answered 401. */
  readonly onSignedOut: () => void;
  /** The server did not respond. */
  readonly onUnreachable: () => void;
}

/**
 * Creates the store of responses. Requests that failed because the session has ended or the server did not respond are repeated
 * after the next sign-in or response.
 */
export function createQueryClient({ onSignedOut, onUnreachable }: RequestEvents): QueryClient {
  const handleError = (error: unknown): void => {
    if (isSignedOut(error)) onSignedOut();
    else if (isUnreachable(error)) onUnreachable();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: handleError }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => {
        // A refused sign-in does not mean that a session has ended.
        if (mutation.meta?.['isSignIn'] !== true) handleError(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        // The client itself repeats requests that were refused with Retry-After.
        retry: (count, error) => !(error instanceof QuarryError && error.status < 500) && count < MAX_RETRIES,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** Returns true if the API refused a request because the session has ended or was revoked. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof QuarryError && error.status === 401;
}

/** Returns true if the server did not respond: fetch then rejects with a TypeError. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError;
}
