import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddingFailed } from '@quarry/embedder';
import { verdictOn } from './failed-request.js';

/** Time, so that tests need not pass it. */
export interface Clock {
  /** Milliseconds; only differences count. */
  now(): number;
  /** @throws the signal's reason when it aborts */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export const REAL_CLOCK: Clock = {
  now: () => performance.now(),
  wait: async (ms, signal) => {
    await delay(ms, undefined, { signal }).catch(() => {
      signal.throwIfAborted();
    });
  },
};

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/**
 * Repeats a request until it succeeds, cannot succeed, or `patienceMs` would pass before the next try.
 *
 * @throws EmbeddingFailed, or the signal's reason when it aborts
 */
export async function persist<Result>(
  request: () => Promise<Result>,
  { patienceMs, signal, clock }: { readonly patienceMs: number; readonly signal: AbortSignal; readonly clock: Clock },
): Promise<Result> {
  const end = clock.now() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof EmbeddingFailed) throw error;
      const verdict = verdictOn(error);
      if (!verdict.again) throw new EmbeddingFailed('embedder_refused', verdict.reason, { cause: error });
      const waitMs = verdict.afterMs ?? backoff(attempt);
      if (clock.now() + waitMs > end) {
        const message = `tried ${attempt} times within ${patienceMs} ms: ${verdict.reason}`;
        throw new EmbeddingFailed('embedder_unavailable', message, { cause: error });
      }
      await clock.wait(waitMs, signal);
    }
  }
}

/** Doubles with every attempt; half of it is chance, so that clients that failed together do not come back together. */
function backoff(attempt: number): number {
  const full = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS);
  return full / 2 + (Math.random() * full) / 2;
}
