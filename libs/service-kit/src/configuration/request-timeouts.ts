/** How long a client may take to send a request. Times in milliseconds. */
export interface RequestTimeouts {
  /** Until the headers are complete. */
  readonly headersMs: number;
  /** Until the body is complete: the maximum time of an upload. */
  readonly bodyMs: number;
  /** Minimum rate of a request body, in each `BODY_WINDOW_MS` in which the service waits for it. 0: no minimum. */
  readonly minBodyBytesPerSecond: number;
}

export const DEFAULT_TIMEOUTS: RequestTimeouts = {
  headersMs: 20_000,
  bodyMs: 3_600_000,
  minBodyBytesPerSecond: 1_024,
};
