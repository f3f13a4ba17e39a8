import { randomBytes } from 'node:crypto';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { catalogQueue, datasourceStatusQueue, type SyncCatalog } from '@quarry/contracts';
import { createInMemoryQueues, type InMemoryQueues } from '@quarry/queue/testing';
import { createInMemoryRunGateway, type InMemoryRunGateway } from '@quarry/run-reporting/testing';
import { createSafeFetch, type SafeFetch } from '@quarry/safe-fetch';
import { createSecretCipher, encryptHeaders } from '@quarry/encrypted-secrets';
import { createLog } from '@quarry/service-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCatalogSettings } from './config.js';
import { startCatalogSync } from './start-catalog-sync.js';
import { createFakeItems, FakeListing, createListingApp, serve, type TestListing } from '@quarry/item-listing/testing';
import { DATASOURCE_ID } from './testing/simulated-gateway.js';
import { createSyncJob } from './testing/sync-bench.js';

const secretCipher = createSecretCipher([randomBytes(32)]);

let queues: InMemoryQueues;
let runs: InMemoryRunGateway;
let safeFetch: SafeFetch;
let server: TestListing;
let keys: (string | string[] | undefined)[];

beforeEach(async () => {
  keys = [];
  const listing = new FakeListing(createFakeItems(5));
  server = await serve(createListingApp(listing, (request) => keys.push(request.headers['x-api-key'])));
  queues = createInMemoryQueues();
  runs = createInMemoryRunGateway();
  safeFetch = createSafeFetch({ userAgent: 'test', allowLoopback: true });
  startCatalogSync({
    settings: readCatalogSettings({}),
    log: createLog('test', 'silent'),
    queues,
    blobs: createInMemoryBlobStore(),
    gateway: runs.gateway,
    safeFetch,
    secretCipher,
    now: () => new Date(),
    wait: () => Promise.resolve(),
  });
});

afterEach(async () => {
  await safeFetch.close();
  await server.close();
});

/** Returns the events that end the run. */
const sync = async (changes: Partial<SyncCatalog>): Promise<readonly object[]> => {
  const { runId } = await runs.startRun(DATASOURCE_ID);
  await queues.producer(catalogQueue).add('sync-catalog', createSyncJob({ runId, url: server.url, ...changes }));
  await queues.drain();
  const events = queues
    .added(datasourceStatusQueue)
    .filter(({ name, payload }) => name === 'run-enumerated' || ('status' in payload && payload.status !== 'running'));
  return events.map(({ payload }) => payload);
};

describe('startCatalogSync', () => {
  it('reads a listing over HTTP with its encrypted headers, records its items and reports the counts', async () => {
    const sealedHeaders = encryptHeaders(secretCipher, createSyncJob(), { 'X-API-Key': 'secret' });
    expect(await sync({ sealedHeaders, mode: 'full' })).toMatchObject([{ discovered: 5, complete: true }]);
    expect(new Set(keys)).toEqual(new Set(['secret']));
  });

  it('reports the error code of a permanent failure', async () => {
    const url = server.url.replace('/items', '/nowhere');
    expect(await sync({ url })).toMatchObject([{ status: 'error', code: 'listing_not_found' }]);
  });

  it('reports the error code of a temporary failure after the last attempt', async () => {
    await server.close();
    const events = await sync({});
    expect(events.at(-1)).toMatchObject({ status: 'error', code: 'listing_unreachable' });
    expect(events).toHaveLength(1);
  });

  it('reports the error code of each attempt that is retried', async () => {
    await server.close();
    await sync({});
    const retries = queues.added(datasourceStatusQueue).filter(({ name }) => name === 'run-retrying');
    expect(retries.map(({ payload }) => payload)).toMatchObject(
      [1, 2, 3, 4].map((attempt) => ({ lastError: { code: 'listing_unreachable', attempt } })),
    );
  });

  it('asks users to set the headers again when they were encrypted for another datasource', async () => {
    const other = { organizationId: 'organization', datasourceId: 'another' };
    expect((await sync({ sealedHeaders: encryptHeaders(secretCipher, other, {}) })).at(-1)).toMatchObject({
      status: 'error',
      code: 'listing_headers_unreadable',
    });
    expect(keys).toEqual([]);
  });
});
