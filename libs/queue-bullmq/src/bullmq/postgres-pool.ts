import { DEFAULT_SCHEMA } from 'bullmq';
import pg from 'pg';

export const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens a pool whose connections use BullMQ's schema. A lost connection never ends this process: its next statement fails, and
 * the pool removes it.
 */
export function openPool(url: string, connections: number, settings: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    ...{ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true },
    ...{ max: connections, options: `-c search_path=${DEFAULT_SCHEMA}`, ...settings },
  });
  // Each queue adds a listener for the errors of its pool.
  pool.setMaxListeners(0);
  pool.on('error', () => undefined);
  // The pool handles errors of idle connections only, and BullMQ handles those of some connections in use.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
