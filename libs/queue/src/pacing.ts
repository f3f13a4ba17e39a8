/**
 * Limits the rate of actions, such as requests to one web server, across all processes that share the queue server. A
 * turn permits one action with a key, such as the host of the web server. The queue server stores the state and
 * provides the clock, so the state outlives the processes.
 */
export interface Pacing {
  /**
   * Acquires a turn of a key if the next turn may start now. Otherwise reserves nothing: the caller must wait and call
   * again. A caller that dies while it waits therefore delays no other caller, and `blockKey` also affects callers that
   * already wait.
   *
   * @param gapMs minimum time until the next turn of the key, in milliseconds
   * @returns 0 if the turn was acquired, otherwise the time to wait before the next call, in milliseconds
   * @throws a connection error if the queue server is unavailable; the turn may have been acquired nevertheless
   */
  acquireTurn(key: string, gapMs: number): Promise<number>;

  /**
   * Prevents turns of a key for `ms` milliseconds. If an earlier block of the key ends later, the earlier block stays
   * in effect.
   *
   * @throws as `acquireTurn`
   */
  blockKey(key: string, ms: number): Promise<void>;
}
