import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddingFailed } from '@quarry/embedder';
import { decideRetry } from './decide-retry.js';

/** Describes a clock, which tests replace. */
export interface Clock {
  /** Returns milliseconds since an arbitrary start. */
  now(): number;
  /** Waits for `ms` milliseconds. @throws the abort reason of the signal if the signal is aborted */
  waitMs(ms: number, signal: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  waitMs: async (ms, signal) => {
    await delay(ms, undefined, { signal }).catch(() => {
      signal.throwIfAborted();
    });
  },
};

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/**
 * Retries a request until it succeeds, fails permanently, or the next attempt would start after `timeoutMs`.
 *
 * @throws EmbeddingFailed, or the abort reason of the signal
 */
export async function retryRequest<Result>(
  request: () => Promise<Result>,
  { timeoutMs, signal, clock }: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly clock: Clock },
): Promise<Result> {
  const end = clock.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof EmbeddingFailed) throw error;
      const decision = decideRetry(error);
      if (!decision.canRetry) throw new EmbeddingFailed('embedder_refused', decision.reason, { cause: error });
      const waitMs = computeWaitMs(decision.afterMs ?? 0, attempt);
      if (clock.now() + waitMs > end) {
        const message = `the embedding request failed ${attempt} times within ${timeoutMs} ms: ${decision.reason}`;
        throw new EmbeddingFailed('embedder_unavailable', message, { cause: error });
      }
      await clock.waitMs(waitMs, signal);
    }
  }
}

/**
 * Returns the milliseconds until the next attempt: the delay that the provider requires, or a growing delay if the
 * provider requires less than `FIRST_DELAY_MS`. A provider that always requires a delay of 0 would otherwise receive
 * requests without a pause.
 */
function computeWaitMs(requiredMs: number, attempt: number): number {
  return requiredMs >= FIRST_DELAY_MS ? requiredMs : Math.max(requiredMs, computeRetryDelay(attempt));
}

/**
 * Computes the delay after an attempt, in milliseconds. The delay doubles with each attempt up to `MAX_DELAY_MS`, and
 * half of the delay is random, so that clients do not retry at the same time.
 */
function computeRetryDelay(attempt: number): number {
  const full = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS);
  return full / 2 + (Math.random() * full) / 2;
}
