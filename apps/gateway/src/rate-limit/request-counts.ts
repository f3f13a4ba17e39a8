/** Counts the requests of each API key in its current minute, across all gateways. */
export interface RequestCounts {
  /**
   * Adds a number of requests to the count of a key, and returns the new count. A minute begins with the first request after the
   * end of the previous minute.
   *
   * @throws if the store is unavailable; the requests may or may not be counted then
   */
  add(keyId: string, requests: number): Promise<RequestCount>;
  close(): Promise<void>;
}

export interface RequestCount {
  /** Requests in the current minute, including the added ones. */
  readonly requests: number;
  /** Remaining time of the minute, in milliseconds. */
  readonly msLeft: number;
}

export const WINDOW_SECONDS = 60;
