import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { keptStatements } from './kept-statements.js';

/** What a query runs on: the pool, or a transaction. */
export type Queries = PgDatabase<NodePgQueryResultHKT>;

export interface OpenDatabase {
  readonly db: Queries;
  /** The same, for what brings its own statements. */
  readonly pool: pg.Pool;
  /** @throws with the cause when the database does not answer */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Such as `postgres://user:password@host:5432/quarry`. */
  readonly url: string;
  /** Most connections at once. */
  readonly connections: number;
  /** Whether a connection is one to the database itself: behind a pooler, it loses the statements it has named. Absent: no. */
  readonly direct?: boolean;
  /** Told of a connection that was lost while nothing was asked on it: the pool replaces it by itself. */
  readonly onConnectionLost: (error: Error) => void;
}

const CONNECT_TIMEOUT_MS = 5_000;

/** Opens a pool. It connects when it is first used, so the database may come up later. */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'quarry-gateway',
    keepAlive: true,
  });
  // Each connection tells it itself, also in the middle of a transaction: nobody listens to the pool's then, and it would end us.
  pool.on('connect', (client) => client.on('error', options.onConnectionLost));
  pool.on('error', () => undefined);
  if (options.direct === true) pool.on('connect', keptStatements());
  return {
    db: drizzle(pool),
    pool,
    ping: async () => {
      await pool.query('select 1');
    },
    close: async () => pool.end(),
  };
}
