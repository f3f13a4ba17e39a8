import type { ClientBase, Pool } from 'pg';
import type { ConsumerRegistry } from './consumer-registry.js';

/** Name of the table of consumers. It is in BullMQ's schema, the first in the search path of the pool's connections. */
const TABLE = 'quarry_consumers';
/** Key of the advisory lock that is held while the table is created, chosen arbitrarily. */
const LOCK_KEY = 7_229_115;

/**
 * Creates the table of consumers if it does not exist, and deletes expired rows. Several processes can call it
 * concurrently.
 */
export async function createConsumerTable(client: ClientBase, schema: string): Promise<void> {
  // Several statements in one query form one transaction, which holds the lock until it ends.
  await client.query(`
    SELECT pg_advisory_xact_lock(${LOCK_KEY});
    CREATE TABLE IF NOT EXISTS ${schema}.${TABLE} (
      queue text NOT NULL,
      id text NOT NULL,
      concurrency integer NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (queue, id)
    );
    DELETE FROM ${schema}.${TABLE} WHERE expires_at < clock_timestamp();
  `);
}

/** Creates a registry that stores one row per consumer in PostgreSQL. */
export function createPostgresConsumerRegistry(pool: Pick<Pool, 'query'>): ConsumerRegistry {
  return {
    async announce({ queue, id, concurrency }, forMs) {
      await pool.query(
        `INSERT INTO ${TABLE} (queue, id, concurrency, expires_at)
         VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 ms')
         ON CONFLICT (queue, id) DO UPDATE SET expires_at = excluded.expires_at`,
        [queue, id, concurrency, forMs],
      );
    },
    async withdraw({ queue, id }) {
      await pool.query(`DELETE FROM ${TABLE} WHERE queue = $1 AND id = $2`, [queue, id]);
    },
    async getCapacity(queue) {
      const found = await pool.query<{ sum: number }>(
        `SELECT coalesce(sum(concurrency), 0)::int AS sum FROM ${TABLE} WHERE queue = $1 AND expires_at > clock_timestamp()`,
        [queue],
      );
      return found.rows[0]?.sum ?? 0;
    },
  };
}
