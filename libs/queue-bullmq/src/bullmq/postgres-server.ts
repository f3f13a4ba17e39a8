import { createPostgresBackend, DEFAULT_SCHEMA, Queue, runMigrations, Worker, type PgPool } from 'bullmq';
import pg from 'pg';
import { GuardedClient } from './guarded-client.js';
import { postgresPacing, preparePacing } from './postgres-pacing.js';
import type { QueueServer } from './queue-server.js';
import type { Traced } from './traced.js';
import { addressOf, reach, type Reaching } from './reach.js';

/** All producers of a process share so many connections. */
const PRODUCER_CONNECTIONS = 5;
/** Each consumer has so many, and one more on which it listens. */
const WORKER_CONNECTIONS = 3;
/** A batch is put into two temporary tables first, which costs as much as to add six jobs. */
const BATCH_FROM = 6;
const CONNECT_TIMEOUT_MS = 5_000;
/** A producer fails when the database takes longer: it has the job still, and can add it again. */
const PRODUCER_QUERY_TIMEOUT_MS = 30_000;

/**
 * BullMQ in a schema `bullmq` of a PostgreSQL database. The tables are made or brought up to date first, also when several
 * processes come at once: a queue that is opened before its tables are there, or while the database is away, never works.
 */
export async function openPostgresServer(url: string, reaching: Reaching, traced: Traced): Promise<QueueServer> {
  await reach(addressOf(url), reaching, () => migrate(url));
  const config = {
    ...{ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true },
    Client: GuardedClient,
  };
  const pool = new pg.Pool({
    ...config,
    max: PRODUCER_CONNECTIONS,
    query_timeout: PRODUCER_QUERY_TIMEOUT_MS,
    options: `-c search_path=${DEFAULT_SCHEMA}`,
  });
  // Every queue listens to the pool's errors, and there may be no queue yet.
  pool.setMaxListeners(0);
  pool.on('error', () => undefined);
  return {
    pacing: postgresPacing(pool),
    batchFrom: BATCH_FROM,
    queue(name, onError) {
      // BullMQ describes pg's pool by fewer overloads than pg does.
      const connection = pool as unknown as PgPool;
      return new Queue(name, { connection, ...traced }, createPostgresBackend).on('error', onError);
    },
    worker(name, process, settings, events) {
      // Of BullMQ's own connections, the one that listens would end this process when it fails twice.
      const own = new pg.Pool({ ...config, max: WORKER_CONNECTIONS + 1, options: `-c search_path=${DEFAULT_SCHEMA}` });
      own.on('error', () => undefined);
      const connection = own as unknown as PgPool;
      return new Worker(name, process, { ...settings, connection, ...traced }, createPostgresBackend)
        .on('closed', () => void own.end())
        .on('error', (error) => {
          events.onError(error);
        })
        .on('lockRenewalFailed', (ids) => {
          events.onLocksLost(ids);
        });
    },
    async ping() {
      await pool.query('SELECT 1');
    },
    async close() {
      await pool.end();
    },
  };
}

async function migrate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await runMigrations(client, DEFAULT_SCHEMA);
    await preparePacing(client, DEFAULT_SCHEMA);
  } finally {
    await client.end().catch(() => undefined);
  }
}
