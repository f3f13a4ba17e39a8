import { parseRetryAfter } from '@quarry/http-headers';

const ASK_AGAIN: readonly number[] = [429, 503];

/** Returns how long a refusal asks to wait, in milliseconds; undefined when the request must not be repeated. */
export function retryAfterMs({ status, headers }: Response, now = Date.now()): number | undefined {
  return ASK_AGAIN.includes(status) ? parseRetryAfter(headers.get('retry-after'), now) : undefined;
}

/** @throws the signal's reason when it is aborted */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal?.reason }));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
