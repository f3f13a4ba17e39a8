import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient, type QuarryClient, type SystemService } from '@quarry/client';
import { startTestPostgres, type TestPostgres } from '@quarry/embedded-postgres/testing';
import { findFreePort } from '@quarry/queue-bullmq/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDataFolder } from './quarry/data-folder.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import { startService, type ServiceProcess } from './quarry/service-process.js';

const SECRET = 'a-key-of-a-provider';

let folder: string;
let postgres: TestPostgres;
let client: QuarryClient;
const started = new Map<string, ServiceProcess>();

beforeAll(async () => {
  [folder, postgres] = await Promise.all([createDataFolder(), startTestPostgres()]);
  const database = await postgres.createDatabase();
  const gatewayPort = await findFreePort();
  const queryPort = await findFreePort();
  await mkdir(join(folder, 'blobs'));
  const variables = {
    DATABASE_URL: database,
    QUARRY_QUEUE_URL: database,
    QUARRY_BLOB_URL: pathToFileURL(join(folder, 'blobs')).href,
    QUARRY_LANCEDB_DIR: join(folder, 'fragments'),
    QUARRY_GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
    QUARRY_QUERY_URL: `http://127.0.0.1:${queryPort}`,
    QUARRY_INTERNAL_TOKEN: 'the-token-of-the-services',
    QUARRY_SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
    QUARRY_ROOT_KEY: ROOT_KEY,
    QUARRY_LOG_LEVEL: 'warn',
    OPENAI_API_KEY: SECRET,
  };
  const ports = { gateway: gatewayPort, query: queryPort, crawler: await findFreePort() };
  await Promise.all(
    Object.entries(ports).map(async ([name, port]) => {
      started.set(name, await startService(name, port, variables));
    }),
  );
  client = createClient({ baseUrl: `http://127.0.0.1:${gatewayPort}/api`, apiKey: ROOT_KEY });
});

afterAll(async () => {
  await Promise.all([...started.values()].map((service) => service.stop()));
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

async function findServices(name: SystemService['name']): Promise<readonly SystemService[]> {
  const { services } = await client.getSystem();
  return services.filter((service) => service.name === name);
}

describe('the state of services that run in separate processes', () => {
  it('the system state lists the services with their dependencies and components, and contains no secret and no address', async () => {
    const crawler = { status: 'ready', instance: expect.stringContaining(`-${started.get('crawler')?.pid}`) as string };
    await vi.waitFor(
      async () => {
        expect(await findServices('crawler')).toMatchObject([crawler]);
      },
      { timeout: 30_000 },
    );
    const system = await client.getSystem();
    expect(system).toMatchObject({
      mode: 'services',
      database: { status: 'available', migration: system.database.expectedMigration },
    });
    expect(system.services).toMatchObject([
      {
        name: 'gateway',
        status: 'ready',
        instance: expect.stringContaining(`-${started.get('gateway')?.pid}`) as string,
      },
      {
        ...{ name: 'query', status: 'ready', version: system.services[0]?.version },
        components: [
          { kind: 'vector_store', name: 'lancedb' },
          { kind: 'model_provider', name: 'openai' },
          { kind: 'default_model', name: 'openai/gpt-4o-mini' },
        ],
      },
      { name: 'ingestion-worker', status: 'unavailable', instance: null },
      { name: 'crawler', dependencies: [{ name: 'queue' }, { name: 'blobs' }, { name: 'gateway', reason: null }] },
      { name: 'catalog-sync', status: 'unavailable', instance: null },
    ]);
    expect(system.queues.find(({ name }) => name === 'crawl')).toMatchObject({ status: 'available', capacity: 10 });
    const text = JSON.stringify(system);
    for (const hidden of [SECRET, ROOT_KEY, 'postgres://', '127.0.0.1', folder]) expect(text).not.toContain(hidden);
  });

  it('the system state shows a stopped crawler and a killed query service as unavailable, with the reasons', async () => {
    await started.get('crawler')?.stop();
    await started.get('query')?.kill();
    const gone = { status: 'unavailable', instance: null, version: null };
    await vi.waitFor(
      async () => {
        expect(await findServices('crawler')).toMatchObject([{ ...gone, reason: 'no process reports' }]);
        expect(await findServices('query')).toMatchObject([
          { ...gone, reason: expect.stringContaining('ECONNREFUSED') as string },
        ]);
      },
      { timeout: 30_000 },
    );
  });
});
