import type { ClientBase, Pool } from 'pg';
import type { Pacing } from '@quarry/queue';

/** In the schema that the pool's connections look in first: BullMQ's. */
const TABLE = 'quarry_pacing';
/** Of no meaning but that nobody else takes it. */
const LOCK = 7_229_114;

/** Makes the table, also when several processes come at once, and forgets the keys that nobody waits for. */
export async function preparePacing(client: ClientBase, schema: string): Promise<void> {
  // Several statements in one query are one transaction, and the lock lasts as long.
  await client.query(`
    SELECT pg_advisory_xact_lock(${LOCK});
    CREATE TABLE IF NOT EXISTS ${schema}.${TABLE} (key text PRIMARY KEY, free_at timestamptz NOT NULL);
    DELETE FROM ${schema}.${TABLE} WHERE free_at < clock_timestamp() - interval '1 hour';
  `);
}

/** A row of PostgreSQL says when the next turn may begin. */
export function postgresPacing(pool: Pick<Pool, 'query'>): Pacing {
  return {
    async take(key, gapMs) {
      const taken = await pool.query(
        `INSERT INTO ${TABLE} AS known (key, free_at) VALUES ($1, clock_timestamp() + $2 * interval '1 ms')
         ON CONFLICT (key) DO UPDATE SET free_at = clock_timestamp() + $2 * interval '1 ms'
         WHERE known.free_at <= clock_timestamp()`,
        [key, gapMs],
      );
      return taken.rowCount === 1 ? 0 : msLeft(pool, key);
    },
    async hold(key, ms) {
      await pool.query(
        `INSERT INTO ${TABLE} AS known (key, free_at) VALUES ($1, clock_timestamp() + $2 * interval '1 ms')
         ON CONFLICT (key) DO UPDATE SET free_at = greatest(known.free_at, excluded.free_at)`,
        [key, ms],
      );
    },
  };
}

async function msLeft(pool: Pick<Pool, 'query'>, key: string): Promise<number> {
  const found = await pool.query<{ ms: number }>(
    `SELECT extract(epoch FROM free_at - clock_timestamp())::float8 * 1000 AS ms FROM ${TABLE} WHERE key = $1`,
    [key],
  );
  return Math.max(1, Math.ceil(found.rows[0]?.ms ?? 0));
}
