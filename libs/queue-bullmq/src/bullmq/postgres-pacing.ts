import type { ClientBase, Pool } from 'pg';
import type { Pacing } from '@quarry/queue';

/**
 * Name of the table of paced keys. It is in BullMQ's schema, the first in the search path of the pool's connections.
 */
const TABLE = 'quarry_pacing';
/** Key of the advisory lock that is held while the table is created, chosen arbitrarily. */
const LOCK_KEY = 7_229_114;

/**
 * Creates the table of paced keys if it does not exist, and deletes expired rows. Several processes can call it
 * concurrently.
 */
export async function createPacingTable(client: ClientBase, schema: string): Promise<void> {
  // Several statements in one query form one transaction, which holds the lock until it ends.
  await client.query(`
    SELECT pg_advisory_xact_lock(${LOCK_KEY});
    CREATE TABLE IF NOT EXISTS ${schema}.${TABLE} (key text PRIMARY KEY, free_at timestamptz NOT NULL);
    DELETE FROM ${schema}.${TABLE} WHERE free_at < clock_timestamp() - interval '1 hour';
  `);
}

/**
 * Creates a `Pacing` that stores one row per key in PostgreSQL. The row contains the time at which the next turn of the
 * key may start.
 */
export function createPostgresPacing(pool: Pick<Pool, 'query'>): Pacing {
  return {
    async acquireTurn(key, gapMs) {
      const claimed = await pool.query(
        `INSERT INTO ${TABLE} AS known (key, free_at) VALUES ($1, clock_timestamp() + $2 * interval '1 ms')
         ON CONFLICT (key) DO UPDATE SET free_at = clock_timestamp() + $2 * interval '1 ms'
         WHERE known.free_at <= clock_timestamp()`,
        [key, gapMs],
      );
      return claimed.rowCount === 1 ? 0 : readRemainingMs(pool, key);
    },
    async blockKey(key, ms) {
      await pool.query(
        `INSERT INTO ${TABLE} AS known (key, free_at) VALUES ($1, clock_timestamp() + $2 * interval '1 ms')
         ON CONFLICT (key) DO UPDATE SET free_at = greatest(known.free_at, excluded.free_at)`,
        [key, ms],
      );
    },
  };
}

async function readRemainingMs(pool: Pick<Pool, 'query'>, key: string): Promise<number> {
  const found = await pool.query<{ ms: number }>(
    `SELECT extract(epoch FROM free_at - clock_timestamp())::float8 * 1000 AS ms FROM ${TABLE} WHERE key = $1`,
    [key],
  );
  return Math.max(1, Math.ceil(found.rows[0]?.ms ?? 0));
}
