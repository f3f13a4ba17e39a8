/**
 * Turns that must not begin too soon after each other, such as requests to one web server, over all processes that share the
 * queues' server. Its clock is the one that counts, and what it holds outlives whoever asked.
 */
export interface Pacing {
  /**
   * Takes a turn of the key if it may begin now. Otherwise nothing is reserved: who dies while it waits holds nobody up, and
   * a hold that comes meanwhile holds it too.
   *
   * @param gapMs no other turn of the key begins for this long
   * @returns 0 when the turn was taken, else after how many milliseconds to ask again
   * @throws a connection's error when the server is away; the turn may have been taken then
   */
  take(key: string, gapMs: number): Promise<number>;

  /** Lets no turn of the key begin for this long. A longer hold, or gap, stays. @throws as `take` */
  hold(key: string, ms: number): Promise<void>;
}
