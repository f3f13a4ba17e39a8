/**
 * Limits the rate of actions, such as requests to one web server, across all processes that share the queue server. A turn
 * permits one action. The server's clock is used, and its state outlives the processes.
 */
export interface Pacing {
  /**
   * Takes a turn for a key if it may start now. Otherwise it reserves nothing, so that a process that dies while it waits
   * delays no other. A later `hold` applies to waiting callers.
   *
   * @param gapMs minimum time until the next turn of the key, in milliseconds
   * @returns 0 when the turn was taken, otherwise the time to wait before the next call, in milliseconds
   * @throws a connection error when the server is unavailable; the turn may have been taken
   */
  take(key: string, gapMs: number): Promise<number>;

  /** Blocks the key for a time, in which no caller can take a turn. A longer block stays in effect. @throws as `take` */
  hold(key: string, ms: number): Promise<void>;
}
