import type { Backoff } from '@quarry/contracts';

/**
 * Computes the delay before the next attempt, in milliseconds.
 *
 * @param attempt the number of the failed attempt, counted from 1
 * @param chance a random number in [0, 1) that selects the delay within the range of the jitter
 */
export function computeBackoff(backoff: Backoff, attempt: number, chance: number): number {
  const delay = Math.min(backoff.delayMs * 2 ** (attempt - 1), backoff.maxDelayMs);
  return Math.round(delay * (1 + backoff.jitter * (2 * chance - 1)));
}
