/**
 * Describes the limits of one request, including its redirects. Times are in milliseconds, sizes in bytes. `headersMs`
 * and `idleMs` can be exceeded by a second, because the HTTP driver checks its timers twice a second.
 */
export interface RequestLimits {
  /** Maximum time from the call of `fetch` to the last byte of the body. */
  readonly totalMs: number;
  /** Maximum time from sending a request to the last header of its response. Applies to each redirect separately. */
  readonly headersMs: number;
  /** Maximum time of waiting for the next chunk of a body while the caller reads the body. */
  readonly idleMs: number;
  /**
   * Minimum rate of a body as transferred. Reading a body fails if its rate is lower in two consecutive windows of
   * `rateWindowMs`.
   */
  readonly minBytesPerSecond: number;
  /**
   * Length of a window over which the rate of a body is averaged. Only the time of waiting for data after the first
   * byte counts.
   */
  readonly rateWindowMs: number;
  /** Maximum number of redirects that a request follows. */
  readonly redirects: number;
  /** Maximum size of the body as transferred, usually compressed. */
  readonly wireBytes: number;
  /** Maximum size of the decompressed body. */
  readonly bodyBytes: number;
}

/** Describes the limits of connections, which several requests can use. */
export interface ConnectionLimits {
  /** Maximum time for the DNS query, the connection and the TLS handshake together. */
  readonly connectMs: number;
  /** Maximum size of all headers of a response. */
  readonly headerBytes: number;
  /** Time after which an unused connection is closed. */
  readonly idleConnectionMs: number;
  /**
   * Age at which a connection is used for no more requests. For the next connection, the host name is resolved and
   * checked again.
   */
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
