/** A removal that is not confirmed within ten minutes is repeated; later ones wait up to five hours and twenty minutes. */
const REPEAT_AFTER_MS = 10 * 60_000;
const MAX_DOUBLINGS = 5;

/** Returns when a removal is repeated after its n-th attempt: without a limit, because deleted content must go. */
export function repeatTime(now: Date, attempts: number): Date {
  return new Date(now.getTime() + REPEAT_AFTER_MS * 2 ** Math.min(attempts - 1, MAX_DOUBLINGS));
}
