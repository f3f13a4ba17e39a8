/** A removal that is not confirmed within 10 minutes is repeated. The interval doubles up to 5 h 20 min. */
const REPEAT_AFTER_MS = 10 * 60_000;
const MAX_DOUBLINGS = 5;

/**
 * Returns when a removal is repeated after its n-th attempt. There is no last attempt, because deleted content must be removed.
 */
export function getRepeatTime(now: Date, attempts: number): Date {
  return new Date(now.getTime() + REPEAT_AFTER_MS * 2 ** Math.min(attempts - 1, MAX_DOUBLINGS));
}
