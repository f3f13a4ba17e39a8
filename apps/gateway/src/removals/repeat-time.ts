/** A removal that is not confirmed within 10 minutes is repeated. The interval doubles up to 5 h 20 min. */
const REPEAT_AFTER_MS = 10 * 60_000;
const MAX_DOUBLINGS = 5;

/**
 * Returns the time at which an unconfirmed removal is repeated. Attempts are not limited, because deleted content must be removed.
 */
export function computeRepeatTime(now: Date, attempts: number): Date {
  return new Date(now.getTime() + REPEAT_AFTER_MS * 2 ** Math.min(attempts - 1, MAX_DOUBLINGS));
}
