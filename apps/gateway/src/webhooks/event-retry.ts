import { computeBackoff } from '@quarry/queue';

/**
 * Maximum number of attempts to deliver an event, and the delays between them. The attempts end after about a day, so
 * that a customer's server can be unavailable overnight.
 */
export const EVENT_RETRY = {
  attempts: 32,
  backoff: { delayMs: 5_000, maxDelayMs: 3_600_000, jitter: 0.3 },
} as const;

/**
 * Computes when the next attempt of an event is due.
 *
 * @param attempts the number of attempts that were made
 * @param chance a random number in [0, 1) that selects the delay within the jitter
 */
export function computeNextAttempt(attempts: number, now: Date, chance: number): Date {
  return new Date(now.getTime() + computeBackoff(EVENT_RETRY.backoff, attempts, chance));
}
