/** Describes how long a client may take to send a request. Times are in milliseconds. */
export interface RequestTimeouts {
  /** Maximum time until all headers of a request have arrived. */
  readonly headersMs: number;
  /** Maximum time until the whole body of a request has arrived. It limits the duration of an upload. */
  readonly bodyMs: number;
  /**
   * Minimum rate of a request body, averaged over windows of `BODY_WINDOW_MS`. Only time for which the service waits
   * for the body counts. 0: no minimum.
   */
  readonly minBodyBytesPerSecond: number;
}

export const DEFAULT_TIMEOUTS: RequestTimeouts = {
  headersMs: 20_000,
  bodyMs: 3_600_000,
  minBodyBytesPerSecond: 1_024,
};
