/** Bounds of the time until the response headers of a listing have arrived, in milliseconds. */
const MIN_HEADERS_MS = 15_000;
const MAX_HEADERS_MS = 120_000;

/**
 * Computes the time limit for the response headers of a listing, in milliseconds. It is short, so that a listing without response
 * does not occupy a worker, and doubles with each failure. A listing whose responses were slow before has twice their time at once.
 *
 * @param slowestSeconds duration of the slowest response so far
 * @param failures number of consecutive failures
 */
export function computeHeadersTimeout(slowestSeconds: number, failures: number): number {
  return Math.min(MAX_HEADERS_MS, Math.max(MIN_HEADERS_MS, 2_000 * slowestSeconds) * 2 ** failures);
}
