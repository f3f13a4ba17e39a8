import {
  DEFAULT_SCHEMA,
  Queue,
  runMigrations,
  type PgPool,
  PostgresConnection,
  PostgresQueueBackend,
  type BackendFactory,
  type PostgresConnectionOptions,
} from 'bullmq';
import pg from 'pg';
import { postgresPacing, preparePacing } from './postgres-pacing.js';
import { CONNECT_TIMEOUT_MS, openPool } from './postgres-pool.js';
import type { QueueServer } from './queue-server.js';
import { addressOf, reach, type Reaching } from './reach.js';
import { SteadyWorker } from './steady-worker.js';
import type { Traced } from './traced.js';

/** Creates the backend of a queue or a worker. Replaces BullMQ's `createPostgresBackend`. */
const createBackend: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = (name, opts, kind) => {
  const listeningAs = kind?.withBlockingConnection === true ? name : undefined;
  return new PostgresQueueBackend(new PreparedConnection(opts.connection), name, opts, true, listeningAs);
};

/** All producers of a process share so many connections. */
const PRODUCER_CONNECTIONS = 5;
/** Each consumer has so many, and one more on which it listens. */
const WORKER_CONNECTIONS = 3;
/** A batch is put into two temporary tables first, which costs as much as to add six jobs. */
const BATCH_FROM = 6;
/** A producer fails when the database takes longer: it has the job still, and can add it again. */
const PRODUCER_QUERY_TIMEOUT_MS = 30_000;

/**
 * BullMQ in a schema `bullmq` of a PostgreSQL database. The tables are made or brought up to date first, also when several
 * processes come at once.
 */
export async function openPostgresServer(url: string, reaching: Reaching, traced: Traced): Promise<QueueServer> {
  await reach(addressOf(url), reaching, () => migrate(url));
  const producers = openPool(url, PRODUCER_CONNECTIONS, { query_timeout: PRODUCER_QUERY_TIMEOUT_MS });
  return {
    pacing: postgresPacing(producers),
    batchFrom: BATCH_FROM,
    queue(name, onError) {
      return new Queue(name, { connection: asBullMq(producers), ...traced }, createBackend).on('error', onError);
    },
    worker(name, process, settings, events) {
      const pool = openPool(url, WORKER_CONNECTIONS + 1);
      return new SteadyWorker(name, process, { ...settings, connection: asBullMq(pool), ...traced }, createBackend)
        .on('closed', () => void pool.end())
        .on('error', (error) => {
          events.onError(error);
        })
        .on('lockRenewalFailed', (ids) => {
          events.onLocksLost(ids);
        });
    },
    async ping() {
      await producers.query('SELECT 1');
    },
    async close() {
      await producers.end();
    },
  };
}

/** BullMQ describes pg's pool by fewer overloads than pg does. */
function asBullMq(pool: pg.Pool): PgPool {
  return pool as unknown as PgPool;
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

/** Connects to a database whose schema was migrated before. */
class PreparedConnection extends PostgresConnection {
  /** Returns at once. BullMQ would verify the schema and remember a failure forever, so that no later statement would be sent. */
  override async waitUntilReady(): Promise<void> {
    return Promise.resolve();
  }
}
