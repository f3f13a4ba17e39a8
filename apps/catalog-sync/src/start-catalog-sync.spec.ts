import { randomBytes } from 'node:crypto';
import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import { catalogQueue, datasourceStatusQueue, ingestionQueue, type SyncCatalog } from '@quarry/contracts';
import { inMemoryQueues, type InMemoryQueues } from '@quarry/queue-bullmq/testing';
import { createSafeFetch, type SafeFetch } from '@quarry/safe-fetch';
import { createSealing, sealHeaders } from '@quarry/sealed';
import { createLog } from '@quarry/service-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCatalogSettings } from './config.js';
import { startCatalogSync } from './start-catalog-sync.js';
import { fakeItems, FakeListing } from './testing/fake-listing.js';
import { syncJob } from './testing/sync-bench.js';
import { listingApp, serve, type TestListing } from './testing/test-listing.js';

const sealing = createSealing([randomBytes(32)]);

let queues: InMemoryQueues;
let safeFetch: SafeFetch;
let server: TestListing;
let keys: (string | string[] | undefined)[];

beforeEach(async () => {
  keys = [];
  const listing = new FakeListing(fakeItems(5));
  server = await serve(listingApp(listing, (request) => keys.push(request.headers['x-api-key'])));
  queues = inMemoryQueues();
  safeFetch = createSafeFetch({ userAgent: 'test', allowLoopback: true });
  startCatalogSync({
    settings: readCatalogSettings({}),
    log: createLog('test', 'silent'),
    queues,
    blobs: inMemoryBlobStore(),
    safeFetch,
    sealing,
    now: () => new Date(),
    wait: () => Promise.resolve(),
  });
});

afterEach(async () => {
  await safeFetch.close();
  await server.close();
});

/** @returns what the run told, but for its progress */
const sync = async (changes: Partial<SyncCatalog>): Promise<readonly object[]> => {
  await queues.producer(catalogQueue).add('sync-catalog', syncJob({ url: server.url, ...changes }));
  await queues.drain();
  const events = queues.added(datasourceStatusQueue).filter(({ name }) => name !== 'run-progressed');
  return events.map(({ payload }) => payload);
};

describe('the service', () => {
  it('reads a listing over HTTP with its sealed headers, hands it over and says what there was', async () => {
    const sealedHeaders = sealHeaders(sealing, syncJob(), { 'X-API-Key': 'secret' });
    expect(await sync({ sealedHeaders, mode: 'full' })).toMatchObject([
      { status: 'running' },
      { documents: 5, complete: true },
    ]);
    expect(queues.added(ingestionQueue)).toHaveLength(5);
    expect(new Set(keys)).toEqual(new Set(['secret']));
  });

  it('tells with its own code why a run failed as a whole', async () => {
    const url = server.url.replace('/items', '/nowhere');
    expect(await sync({ url })).toMatchObject([{ status: 'running' }, { status: 'error', code: 'listing_not_found' }]);
  });

  it('tells why when it keeps failing', async () => {
    await server.close();
    const events = await sync({});
    expect(events.at(-1)).toMatchObject({ status: 'error', code: 'listing_unreachable' });
    expect(events).toHaveLength(6);
  });

  it('asks for headers to be set again when they were sealed for another datasource', async () => {
    const other = { organizationId: 'organization', datasourceId: 'another' };
    expect((await sync({ sealedHeaders: sealHeaders(sealing, other, {}) })).at(-1)).toMatchObject({
      status: 'error',
      code: 'listing_headers_unreadable',
    });
    expect(keys).toEqual([]);
  });
});
