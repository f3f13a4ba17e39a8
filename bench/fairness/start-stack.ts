import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient, type QuarryClient } from '@quarry/client';
import { startEmbeddedPostgres } from '@quarry/embedded-postgres';
import { findFreePort } from '@quarry/queue-bullmq/testing';
import { ROOT_KEY, startServers, startService, type ServiceProcess } from '@quarry/system-tests';
import { startQuarry, withFolder } from '../quarry/start-quarry.js';

export const BACKENDS = ['postgres', 'redis'] as const;
/** The server of the queues. `postgres`: one process with everything. `redis`: one process per service. */
export type Backend = (typeof BACKENDS)[number];

/** Describes a running Quarry whose servers the benchmark can reach. */
export interface Stack {
  readonly baseUrl: string;
  readonly client: QuarryClient;
  readonly databaseUrl: string;
  readonly queueUrl: string;
}

/** Jobs of the ingestion worker at once. */
export const CONCURRENCY = 8;

const VARIABLES = {
  QUARRY_INGESTION_CONCURRENCY: String(CONCURRENCY),
  QUARRY_RATE_LIMIT: '0',
  QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true',
  QUARRY_CATALOG_ALLOW_LOOPBACK: 'true',
  QUARRY_WEBHOOKS_ALLOW_LOOPBACK: 'true',
};

/** Runs a function with a new, empty Quarry. */
export async function withStack<Result>(backend: Backend, use: (stack: Stack) => Promise<Result>): Promise<Result> {
  return backend === 'postgres' ? withOneMachine(use) : withServices(use);
}

async function withOneMachine<Result>(use: (stack: Stack) => Promise<Result>): Promise<Result> {
  return withFolder(async (folder) => {
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

const SERVICES = ['query', 'ingestion-worker', 'crawler', 'catalog-sync'] as const;

/** Starts one process of each service on PostgreSQL, Redis and Qdrant. */
async function withServices<Result>(use: (stack: Stack) => Promise<Result>): Promise<Result> {
  const servers = await startServers();
  const started: ServiceProcess[] = [];
  try {
    const [gatewayPort = 0, queryPort = 0, ...ports] = await Promise.all(
      ['gateway', ...SERVICES].map(async () => findFreePort()),
    );
    const urls = {
      QUARRY_GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
      QUARRY_QUERY_URL: `http://127.0.0.1:${queryPort}`,
    };
    const variables = { ...servers.variables, ...VARIABLES, ...urls };
    started.push(await startService('gateway', gatewayPort, variables));
    for (const [at, port] of [queryPort, ...ports].entries())
      started.push(await startService(SERVICES[at] ?? '', port, variables));
    const baseUrl = `${urls.QUARRY_GATEWAY_URL}/api`;
    const { DATABASE_URL: databaseUrl = '', QUARRY_QUEUE_URL: queueUrl = '' } = servers.variables;
    return await use({ baseUrl, client: createClient({ baseUrl, apiKey: ROOT_KEY }), databaseUrl, queueUrl });
  } finally {
    await Promise.all(started.map((service) => service.stop()));
    await servers.stop();
  }
}

/** Returns the used memory of a Redis server in bytes. @param url such as `redis://127.0.0.1:6379` */
export async function readRedisMemory(url: string): Promise<number> {
  const { stdout } = await promisify(execFile)('redis-cli', ['-u', url, 'INFO', 'memory']);
  return Number(/^used_memory:(\d+)/m.exec(stdout)?.[1]);
}
