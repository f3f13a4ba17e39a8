import { setTimeout as pause } from 'node:timers/promises';

const RETRY_TIMEOUT_MS = 30_000;
const RETRY_DELAY_MS = 20;
/** Codes of Node and undici for a refused connection, or one that closed before a response. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET']);

/**
 * Repeats a request when its connection is refused or lost before a response, as a customer's client does. Idempotency
 * keys make this safe. A response is never repeated, even if its body is incomplete.
 *
 * @param onRetry called before each retry
 */
export function fetchWithRetries(onRetry: () => void): typeof fetch {
  return async (address, init) => {
    const deadline = Date.now() + RETRY_TIMEOUT_MS;
    for (;;) {
      try {
        return await fetch(address, init);
      } catch (error) {
        if (!hasConnectionFailed(error) || Date.now() > deadline) throw error;
        onRetry();
        await pause(RETRY_DELAY_MS);
      }
    }
  };
}

function hasConnectionFailed(error: unknown): boolean {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return false;
  return 'code' in error.cause && NO_CONNECTION.has(String(error.cause.code));
}
