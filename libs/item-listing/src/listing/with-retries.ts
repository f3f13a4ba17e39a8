import { TemporaryListingError } from './listing-errors.js';
import { setTimeout as after } from 'node:timers/promises';

/** Waits for a number of milliseconds. Rejects when `signal` is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export interface RetryOptions {
  readonly wait: (ms: number) => Promise<void>;
  readonly onRetry: (error: TemporaryListingError) => void;
}

/** Delays before the retries of a request. A single failed request must not end a scan of a thousand requests. */
const RETRY_DELAYS_MS = [1_000, 4_000, 15_000];
/** Maximum pause in milliseconds. For longer ones, the queue delays the job, so that it does not occupy a worker. */
const MAX_PAUSE_MS = 15_000;

/**
 * Retries a request to a listing a few times within half a minute.
 *
 * @throws the error of `request`; TemporaryListingError when the listing is still unavailable or requests a longer pause
 */
export async function withRetries<Answer>(
  request: () => Promise<Answer>,
  { wait, onRetry }: RetryOptions,
): Promise<Answer> {
  for (const pause of RETRY_DELAYS_MS) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof TemporaryListingError) || (error.retryAfterMs ?? 0) > MAX_PAUSE_MS) throw error;
      onRetry(error);
      await wait(error.retryAfterMs ?? pause);
    }
  }
  return request();
}

export const waitForTimeout: Wait = (ms, signal) => after(ms, undefined, { signal });
