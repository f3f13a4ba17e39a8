/** Counts the requests of each key in its current minute, over all gateways. */
export interface RequestCounts {
  /**
   * Adds requests to the count of a key. A minute begins with the first request after the end of the previous minute.
   *
   * @throws if the store is unavailable; the requests may or may not be counted then
   */
  add(keyId: string, requests: number): Promise<RequestCount>;
  close(): Promise<void>;
}

export interface RequestCount {
  /** Requests in this minute, including the added ones. */
  readonly requests: number;
  /** Remaining time of the minute, in milliseconds. */
  readonly msLeft: number;
}

export const WINDOW_SECONDS = 60;
