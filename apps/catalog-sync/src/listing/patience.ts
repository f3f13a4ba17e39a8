import { ListingAway } from './listing-failure.js';

/** Waits, or rejects when `signal` is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** One hiccup among a thousand pages ends no scan. */
const PAUSES_MS = [1_000, 4_000, 15_000];
/** A longer wait is no reason to hold a worker. */
const LONGEST_PAUSE_MS = 15_000;

/**
 * Asks again, a few times within half a minute, while the listing is away.
 *
 * @throws what `ask` throws; ListingAway when it stays away, or asks for a longer wait
 */
export async function patiently<Answer>(ask: () => Promise<Answer>, wait: Wait, signal: AbortSignal): Promise<Answer> {
  for (const pause of PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ListingAway) || (error.retryAfterMs ?? 0) > LONGEST_PAUSE_MS) throw error;
      await wait(error.retryAfterMs ?? pause, signal);
    }
  }
  return ask();
}
