/**
 * Limits of one request, over all of its redirects. Times in milliseconds, sizes in bytes.
 * `headersMs` and `idleMs` may strike up to a second late: the driver looks at its clock twice a second.
 */
export interface RequestLimits {
  /** From the call to the last byte of the body. */
  readonly totalMs: number;
  /** From the request sent to the last header, for each answer. */
  readonly headersMs: number;
  /** Between two pieces of a body, while somebody reads it. */
  readonly idleMs: number;
  /** How many redirects are followed. */
  readonly redirects: number;
  /** The body as it travels, compressed or not. */
  readonly wireBytes: number;
  /** The body as it is handed out, decompressed. */
  readonly bodyBytes: number;
}

/** Limits of the connections that requests share. */
export interface ConnectionLimits {
  /** Looking the name up, connecting and the TLS handshake together. */
  readonly connectMs: number;
  /** All headers of one answer. */
  readonly headerBytes: number;
  /** How long an unused connection is kept. */
  readonly idleConnectionMs: number;
  /** After this a connection takes no more requests: the name is looked up and checked again. */
  readonly connectionAgeMs: number;
  /** At once, to one origin; further requests wait for their turn. */
  readonly connectionsPerOrigin: number;
}

export type Limits = RequestLimits & ConnectionLimits;

export const DEFAULT_LIMITS: Limits = {
  totalMs: 60_000,
  headersMs: 15_000,
  idleMs: 15_000,
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
 * The given limits over the base ones.
 *
 * @throws RangeError when a limit is not a positive whole number (`redirects` may be 0)
 */
export function withLimits(base: Limits, changes: Partial<Limits> = {}): Limits {
  const limits = { ...base, ...changes };
  for (const [name, value] of Object.entries<unknown>(limits)) {
    const least = name === 'redirects' ? 0 : 1;
    if (!Number.isSafeInteger(value) || Number(value) < least) {
      throw new RangeError(`limits.${name}: expected a whole number of at least ${least}, found ${String(value)}`);
    }
  }
  return limits;
}
