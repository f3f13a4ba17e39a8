import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { QuarryClient } from '@quarry/client';
import { startEmbeddedPostgres } from '@quarry/embedded-postgres';
import { startServers } from '@quarry/system-tests';
import { startQuarry, runWithTemporaryFolder } from '../quarry/start-quarry.js';
import { startServices } from '../quarry/start-services.js';

export const BACKENDS = ['postgres', 'redis'] as const;
/**
 * The server that stores the queues. `postgres`: PostgreSQL, with a standalone Quarry. `redis`: Redis, with one process
 * per service.
 */
export type Backend = (typeof BACKENDS)[number];

/** A running Quarry, with the URLs of its API, its database and its queues. */
export interface Stack {
  readonly baseUrl: string;
  readonly client: QuarryClient;
  readonly databaseUrl: string;
  readonly queueUrl: string;
}

/** Number of jobs that the ingestion worker runs in parallel. */
export const CONCURRENCY = 8;

const VARIABLES = {
  QUARRY_INGESTION_CONCURRENCY: String(CONCURRENCY),
  QUARRY_RATE_LIMIT: '0',
  QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true',
  QUARRY_CATALOG_ALLOW_LOOPBACK: 'true',
  QUARRY_WEBHOOKS_ALLOW_LOOPBACK: 'true',
};

/** Runs a function with a new, empty Quarry. */
export async function runWithStack<Result>(backend: Backend, use: (stack: Stack) => Promise<Result>): Promise<Result> {
  return backend === 'postgres' ? runWithOneMachine(use) : runWithServices(use);
}

/** Runs a function with a new standalone Quarry. */
async function runWithOneMachine<Result>(use: (stack: Stack) => Promise<Result>): Promise<Result> {
  return runWithTemporaryFolder(async (folder) => {
    const postgres = await startEmbeddedPostgres({ directory: join(folder, 'server') });
    const { url } = postgres;
    try {
      const quarry = await startQuarry({ folder, variables: { ...VARIABLES, DATABASE_URL: url } });
      try {
        return await use({ baseUrl: quarry.baseUrl, client: quarry.client, databaseUrl: url, queueUrl: url });
      } finally {
        await quarry.stop();
      }
    } finally {
      await postgres.stop();
    }
  });
}

/** Runs a function with one process of each service, on PostgreSQL, Redis and Qdrant. */
async function runWithServices<Result>(use: (stack: Stack) => Promise<Result>): Promise<Result> {
  const servers = await startServers();
  try {
    const quarry = await startServices({ ...servers.variables, ...VARIABLES });
    const { DATABASE_URL: databaseUrl = '', QUARRY_QUEUE_URL: queueUrl = '' } = servers.variables;
    try {
      return await use({ baseUrl: quarry.baseUrl, client: quarry.client, databaseUrl, queueUrl });
    } finally {
      await quarry.stop();
    }
  } finally {
    await servers.stop();
  }
}

/** Returns the used memory of a Redis server in bytes. @param url such as `redis://127.0.0.1:6379` */
export async function readRedisMemory(url: string): Promise<number> {
  const { stdout } = await promisify(execFile)('redis-cli', ['-u', url, 'INFO', 'memory']);
  return Number(/^used_memory:(\d+)/m.exec(stdout)?.[1]);
}
