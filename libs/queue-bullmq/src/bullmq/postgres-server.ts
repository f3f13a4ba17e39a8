import pg from 'pg';
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
import { createPostgresConsumerRegistry, createConsumerTable } from './postgres-consumer-registry.js';
import { createPostgresPacing, createPacingTable } from './postgres-pacing.js';
import { CONNECT_TIMEOUT_MS, openPostgresPool } from './postgres-pool.js';
import type { QueueServer } from './queue-server.js';
import { redactAddress, connectWithRetries, type ConnectOptions } from './connect-with-retries.js';
import { PausingWorker } from './pausing-worker.js';
import type { TracingOptions } from './tracing-options.js';

/** Number of PostgreSQL connections that all producers of a process share. */
const PRODUCER_CONNECTIONS = 5;
/** Number of PostgreSQL connections of each consumer, without the connection that receives notifications. */
const WORKER_CONNECTIONS = 3;
/**
 * Minimum number of jobs that are added as a batch. Fewer jobs are added one by one. BullMQ first copies a batch into
 * two temporary tables, which costs as much as adding six jobs.
 */
const BATCH_FROM = 6;
/** Timeout of a producer's SQL statement, in milliseconds. The caller can then add the job again. */
const PRODUCER_QUERY_TIMEOUT_MS = 30_000;

/**
 * Connects BullMQ to the schema `bullmq` of a PostgreSQL database. Creates or migrates the tables of the schema first.
 * Several processes can call it concurrently.
 */
export async function connectPostgresServer(
  url: string,
  connectOptions: ConnectOptions,
  tracing: TracingOptions,
): Promise<QueueServer> {
  await connectWithRetries(redactAddress(url), connectOptions, () => migrateBullMqSchema(url));
  const producers = openPostgresPool(url, PRODUCER_CONNECTIONS, { query_timeout: PRODUCER_QUERY_TIMEOUT_MS });
  return {
    pacing: createPostgresPacing(producers),
    consumers: createPostgresConsumerRegistry(producers),
    batchFrom: BATCH_FROM,
    openQueue(name, onError) {
      return new Queue(name, { connection: castToBullMqPool(producers), ...tracing }, createBackend).on(
        'error',
        onError,
      );
    },
    startWorker(name, process, settings, events) {
      const pool = openPostgresPool(url, WORKER_CONNECTIONS + 1);
      return new PausingWorker(
        name,
        process,
        { ...settings, connection: castToBullMqPool(pool), ...tracing },
        createBackend,
      )
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

/** Casts a pool to the pool type of BullMQ, which declares fewer overloads than the type of `pg`. */
function castToBullMqPool(pool: pg.Pool): PgPool {
  return pool as unknown as PgPool;
}

async function migrateBullMqSchema(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await runMigrations(client, DEFAULT_SCHEMA);
    await createPacingTable(client, DEFAULT_SCHEMA);
    await createConsumerTable(client, DEFAULT_SCHEMA);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Creates the backend of a queue or a worker. Replaces BullMQ's `createPostgresBackend`. */
const createBackend: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = (name, opts, kind) => {
  const listeningAs = kind?.withBlockingConnection === true ? name : undefined;
  return new PostgresQueueBackend(new PreparedConnection(opts.connection), name, opts, true, listeningAs);
};

/** Connects to a database whose schema is already up to date. */
class PreparedConnection extends PostgresConnection {
  /**
   * Resolves immediately. The inherited method would verify the schema, and after a failed verification the connection
   * would send no statements.
   */
  override async waitUntilReady(): Promise<void> {
    return Promise.resolve();
  }
}
