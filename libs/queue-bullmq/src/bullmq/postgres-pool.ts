import { DEFAULT_SCHEMA } from 'bullmq';
import pg from 'pg';

export const CONNECT_TIMEOUT_MS = 5_000;

/** Opens a pool whose connections find BullMQ's tables. Losing one never ends this process: its next statement fails, and the pool drops it. */
export function openPool(url: string, connections: number, settings: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    ...{ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true },
    ...{ max: connections, options: `-c search_path=${DEFAULT_SCHEMA}`, ...settings },
  });
  // Every queue listens to the errors of its pool.
  pool.setMaxListeners(0);
  pool.on('error', () => undefined);
  // The pool listens to its idle connections only, and BullMQ to some of those that it uses.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
