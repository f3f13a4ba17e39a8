import type { Connection } from '@lancedb/lancedb';

/**
 * Provides a connection that is replaced after a number of uses or on request. The session of a connection keeps the
 * files of indexes open, even after an optimization has replaced and deleted these files. The files are closed when
 * nothing refers to the session any more.
 */
export class RenewedConnection {
  readonly #connect: () => Promise<Connection>;
  readonly #maxUses: number;
  #current: Promise<Connection> | undefined;
  #uses = 0;

  /** @param maxUses number of calls of `getConnection` after which the connection is replaced */
  constructor(connect: () => Promise<Connection>, maxUses = Infinity) {
    this.#connect = connect;
    this.#maxUses = maxUses;
  }

  async getConnection(): Promise<Connection> {
    if (this.#uses >= this.#maxUses) this.renewConnection();
    this.#uses += 1;
    const connection = (this.#current ??= this.#connect());
    try {
      return await connection;
    } catch (error) {
      // Without a stored connection, the next call of `getConnection` connects again.
      if (this.#current === connection) this.#current = undefined;
      throw error;
    }
  }

  /**
   * Replaces the connection. Tables of the previous connection can still be used. The previous connection is closed
   * when these tables are garbage-collected.
   */
  renewConnection(): void {
    this.#current = undefined;
    this.#uses = 0;
  }

  async close(): Promise<void> {
    (await this.#current)?.close();
  }
}
