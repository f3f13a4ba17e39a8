import type { Backoff } from '@quarry/contracts';

/**
 * How long to wait after an attempt, in milliseconds.
 *
 * @param attempt the one that failed, from 1
 * @param chance in [0, 1): where inside the jitter the wait falls
 */
export function waitAfter(backoff: Backoff, attempt: number, chance: number): number {
  const wait = Math.min(backoff.delayMs * 2 ** (attempt - 1), backoff.maxDelayMs);
  return Math.round(wait * (1 + backoff.jitter * (2 * chance - 1)));
}
