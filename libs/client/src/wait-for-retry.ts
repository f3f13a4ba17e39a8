import { parseRetryAfter } from '@quarry/http-responses';

const RETRYABLE_STATUSES: readonly number[] = [429, 503];

/**
 * Returns the delay that the header `Retry-After` requests, in milliseconds. Returns undefined without that header, and
 * for a status other than 429 and 503.
 */
export function parseRetryAfterMs({ status, headers }: Response, now = Date.now()): number | undefined {
  return RETRYABLE_STATUSES.includes(status) ? parseRetryAfter(headers.get('retry-after'), now) : undefined;
}

/** Waits for a number of milliseconds. @throws the reason of the signal if the signal is aborted */
export async function waitForDelay(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const stopWaiting = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stopWaiting);
      resolve();
    };
    const timer = setTimeout(stopWaiting, ms);
    signal?.addEventListener('abort', stopWaiting);
  });
  signal?.throwIfAborted();
}
