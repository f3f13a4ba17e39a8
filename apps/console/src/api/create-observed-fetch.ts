import { QuarryError } from '@quarry/client';
import { isProxyFailure } from './wait-until-reachable.js';

/** Callbacks for failed requests that affect the whole console. */
export interface ResponseEvents {
  /** Called when a response has the status 401, which means that the session has ended. */
  readonly onSignedOut: () => void;
  /** Called when a request receives no response of Quarry, because the server or the network is unavailable. */
  readonly onUnreachable: () => void;
}

/**
 * Wraps a `fetch` function so that the callbacks report the end of the session and an unreachable server. The console
 * sends all its requests with the returned function.
 */
export function createObservedFetch(send: typeof fetch, { onSignedOut, onUnreachable }: ResponseEvents): typeof fetch {
  return async (input, init) => {
    try {
      const response = await send(input, init);
      if (response.status === 401 && !isSignInRequest(input, init)) onSignedOut();
      if (isProxyFailure(response)) onUnreachable();
      return response;
    } catch (error) {
      if (isUnreachableError(error)) onUnreachable();
      throw error;
    }
  };
}

/**
 * Returns true for an error of the API client which means that Quarry did not respond: a `TypeError`, with which
 * `fetch` rejects without a response, or an error response of a proxy.
 */
export function isUnreachableError(error: unknown): boolean {
  if (error instanceof QuarryError) return error.code === 'unexpected_answer' && error.status >= 500;
  return error instanceof TypeError;
}

/** Returns true for a sign-in request, whose status 401 does not mean that a session has ended. */
function isSignInRequest(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): boolean {
  const url = new URL(input instanceof Request ? input.url : input);
  return init?.method === 'POST' && url.pathname.endsWith('/api/session');
}
