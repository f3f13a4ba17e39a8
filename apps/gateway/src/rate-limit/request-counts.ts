/** How many requests each key has made in its current minute, over all gateways. */
export interface RequestCounts {
  /**
   * Counts requests. A key's minute begins with the first of them after the one before is over.
   *
   * @throws when the store is away; then nothing was counted, or nobody knows
   */
  add(keyId: string, requests: number): Promise<RequestCount>;
  close(): Promise<void>;
}

export interface RequestCount {
  /** In this minute, those that were just added included. */
  readonly requests: number;
  /** How long the minute still lasts, in milliseconds. */
  readonly msLeft: number;
}

export const WINDOW_SECONDS = 60;
