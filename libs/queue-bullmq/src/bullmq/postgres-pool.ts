import { DEFAULT_SCHEMA } from 'bullmq';
import pg from 'pg';

export const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens a pool whose connections use BullMQ's schema. The loss of a connection does not end this process: the next
 * statement of the connection fails, and the pool removes the connection.
 */
export function openPostgresPool(url: string, connections: number, settings: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    ...{ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true },
    ...{ max: connections, options: `-c search_path=${DEFAULT_SCHEMA}`, ...settings },
  });
  // Each queue adds a listener for errors to its pool, so the number of listeners is not limited.
  pool.setMaxListeners(0);
  pool.on('error', () => undefined);
  // Without this listener, an error of a connection in use can end the process, because the pool listens only to idle
  // connections.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
