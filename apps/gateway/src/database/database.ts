import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { createStatementPreparer } from './create-statement-preparer.js';

/** Runs queries, on a connection of the pool or in a transaction. */
export type Queries = PgDatabase<NodePgQueryResultHKT>;

/** A pool of connections to the database. */
export interface OpenDatabase {
  readonly db: Queries;
  /** The pool of connections that `db` uses, for libraries that send their own statements. */
  readonly pool: pg.Pool;
  /** Sends a query to the database. @throws an error with the cause if the database does not answer */
  ping(): Promise<void>;
  /** Opens a connection that is not part of the pool, for LISTEN. The caller ends it. */
  openConnection(): Promise<pg.Client>;
  close(): Promise<void>;
}

/** Options of the connections to the database. */
export interface DatabaseOptions {
  /** Address of the database, such as `postgres://user:password@host:5432/quarry`. */
  readonly url: string;
  /** Maximum number of open connections of the pool. */
  readonly connections: number;
  /**
   * True if the gateway connects to the database directly, without a pooler. Behind a pooler, prepared statements are
   * lost. Absent: false.
   */
  readonly direct?: boolean;
  /** Receives the error of a lost connection. The pool replaces the connection. */
  readonly onConnectionLost: (error: Error) => void;
}

const CONNECT_TIMEOUT_MS = 5_000;
/**
 * Number of idle connections that stay open, so that the parallel statements of a question need not wait until new
 * connections open.
 */
const OPEN_CONNECTIONS = 4;

/** Opens a pool of connections. Each connects when it is first used, so the database may start after the gateway. */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    min: Math.min(OPEN_CONNECTIONS, options.connections),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'quarry-gateway',
    keepAlive: true,
  });
  // The pool handles errors of idle connections only. Without this listener, an error of a connection during a
  // transaction would end the process.
  pool.on('connect', (client) => client.on('error', options.onConnectionLost));
  pool.on('error', () => undefined);
  if (options.direct === true) pool.on('connect', createStatementPreparer());
  return {
    db: createQueries(pool),
    pool,
    ping: async () => {
      await pool.query('select 1');
    },
    openConnection: async () => openConnection(options.url),
    close: async () => pool.end(),
  };
}

/**
 * Creates the queries of a pool. Returns the connection of a transaction to the pool also if the connection breaks during
 * `begin`. Drizzle would not return it, so each such failure would leave the pool with one connection less.
 */
function createQueries(pool: pg.Pool): Queries {
  const queries: Queries = drizzle(pool);
  queries.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      return await drizzle(client).transaction(work, config);
    } finally {
      client.release();
    }
  };
  return queries;
}

async function openConnection(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'quarry-gateway-listener',
    keepAlive: true,
  });
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
