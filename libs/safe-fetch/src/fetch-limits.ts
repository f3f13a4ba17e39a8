/**
 * Describes the limits of one request, including its redirects. Times are in milliseconds, sizes in bytes. `headersMs`
 * and `idleMs` can be exceeded by a second, because the HTTP driver checks its timers twice a second.
 */
export interface RequestLimits {
  /** Maximum time from the call to the last byte of the body. */
  readonly totalMs: number;
  /** Maximum time from the request to the last header, for each response including redirects. */
  readonly headersMs: number;
  /** Maximum time between two chunks of a body while the caller reads it. */
  readonly idleMs: number;
  /**
   * Minimum rate of a body as transferred. A body fails if its rate is lower in two consecutive windows of
   * `rateWindowMs`.
   */
  readonly minBytesPerSecond: number;
  /**
   * Length of a window. The rate of a body is averaged over each window. Only the time of waiting for data after the
   * first byte counts.
   */
  readonly rateWindowMs: number;
  /** Maximum number of redirects. */
  readonly redirects: number;
  /** Maximum size of the body as transferred, usually compressed. */
  readonly wireBytes: number;
  /** Maximum size of the decompressed body. */
  readonly bodyBytes: number;
}

/** Describes the limits of shared connections. */
export interface ConnectionLimits {
  /** Maximum time for DNS, connecting and the TLS handshake together. */
  readonly connectMs: number;
  /** Maximum size of all headers of a response. */
  readonly headerBytes: number;
  /** Time after which an unused connection is closed. */
  readonly idleConnectionMs: number;
  /** Age at which a connection accepts no more requests. The host name is then resolved and checked again. */
  readonly connectionAgeMs: number;
  /** Maximum number of connections per origin. Further requests wait for a connection. */
  readonly connectionsPerOrigin: number;
}

export type Limits = RequestLimits & ConnectionLimits;

export const DEFAULT_LIMITS: Limits = {
  totalMs: 60_000,
  headersMs: 15_000,
  idleMs: 15_000,
  minBytesPerSecond: 256,
  rateWindowMs: 4_000,
  redirects: 5,
  wireBytes: 25 * 1024 * 1024,
  bodyBytes: 25 * 1024 * 1024,
  connectMs: 10_000,
  headerBytes: 32 * 1024,
  idleConnectionMs: 10_000,
  connectionAgeMs: 5 * 60_000,
  connectionsPerOrigin: 16,
};

/**
 * Returns the base limits with the given changes.
 *
 * @throws RangeError if a limit is not a positive integer (`redirects` may be 0)
 */
export function mergeAndValidateLimits(base: Limits, changes: Partial<Limits> = {}): Limits {
  const limits = { ...base, ...changes };
  for (const [name, value] of Object.entries<unknown>(limits)) {
    const least = name === 'redirects' ? 0 : 1;
    if (!Number.isSafeInteger(value) || Number(value) < least) {
      throw new RangeError(`limits.${name}: expected a whole number of at least ${least}, found ${String(value)}`);
    }
  }
  return limits;
}
