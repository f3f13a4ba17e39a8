import { QuarryError } from '@quarry/client';
import { QueryClient } from '@tanstack/react-query';

const MAX_RETRIES = 2;
const STALE_MS = 5_000;

/** Creates the React Query client, which caches responses. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        // React Query repeats only requests without a response or with a server error. The API client itself repeats
        // refused requests whose response has the header `Retry-After`.
        retry: (count, error) => !(error instanceof QuarryError && error.status < 500) && count < MAX_RETRIES,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** Returns true for an error with the status 401: the session has ended, or its API key was revoked. */
export function isSignedOutError(error: unknown): boolean {
  return error instanceof QuarryError && error.status === 401;
}
