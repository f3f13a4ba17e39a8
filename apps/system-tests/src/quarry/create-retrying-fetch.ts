import { setTimeout as pause } from 'node:timers/promises';

const RETRY_TIMEOUT_MS = 30_000;
const RETRY_DELAY_MS = 20;
/** Error codes of Node and undici for a connection that was refused, timed out, or closed before a response. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET']);

/**
 * Returns a `fetch` that repeats a request if its connection is refused, or closes before the response. Idempotency
 * keys make the repetition safe. If the response has begun, the request is not repeated, even if the body is
 * incomplete.
 *
 * @param onRetry called before each retry
 */
export function createRetryingFetch(onRetry: () => void): typeof fetch {
  return async (address, init) => {
    const deadline = Date.now() + RETRY_TIMEOUT_MS;
    for (;;) {
      try {
        return await fetch(address, init);
      } catch (error) {
        if (!isConnectionFailure(error) || Date.now() > deadline) throw error;
        onRetry();
        await pause(RETRY_DELAY_MS);
      }
    }
  };
}

function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return false;
  return 'code' in error.cause && NO_CONNECTION.has(String(error.cause.code));
}
