/** Describes how long a client may take to send a request. Times are in milliseconds. */
export interface RequestTimeouts {
  /** Maximum time until the headers are complete. */
  readonly headersMs: number;
  /** Maximum time until the body is complete. It limits the duration of an upload. */
  readonly bodyMs: number;
  /**
   * Minimum rate of a request body, averaged over each `BODY_WINDOW_MS` for which the service waits for the body. 0: no
   * minimum.
   */
  readonly minBodyBytesPerSecond: number;
}

export const DEFAULT_TIMEOUTS: RequestTimeouts = {
  headersMs: 20_000,
  bodyMs: 3_600_000,
  minBodyBytesPerSecond: 1_024,
};
