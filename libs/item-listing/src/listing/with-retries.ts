import { setTimeout as after } from 'node:timers/promises';
import { ListingAway } from './listing-failure.js';

/** Waits, or rejects when `signal` is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const systemWait: Wait = (ms, signal) => after(ms, undefined, { signal });

export interface RetryOptions {
  readonly wait: (ms: number) => Promise<void>;
  readonly onRetry: (error: ListingAway) => void;
}

/** One failed request among a thousand does not end a scan. */
const PAUSES_MS = [1_000, 4_000, 15_000];
/** A longer pause is the queue's: it holds no worker. */
const MAX_PAUSE_MS = 15_000;

/**
 * Asks a listing again while it does not answer, a few times within half a minute.
 *
 * @throws what `ask` throws; ListingAway when the listing still does not answer, or asks for a longer pause
 */
export async function withRetries<Answer>(
  ask: () => Promise<Answer>,
  { wait, onRetry }: RetryOptions,
): Promise<Answer> {
  for (const pause of PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ListingAway) || (error.retryAfterMs ?? 0) > MAX_PAUSE_MS) throw error;
      onRetry(error);
      await wait(error.retryAfterMs ?? pause);
    }
  }
  return ask();
}
