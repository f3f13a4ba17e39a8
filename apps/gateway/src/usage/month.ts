/** Formats the month of a time in UTC, such as `2026-11`. */
export function formatMonth(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/** Computes the start of the next month after a time, in UTC. */
export function computeNextMonth(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 1));
}
