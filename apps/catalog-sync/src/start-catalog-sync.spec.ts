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
import {
  createFakeItems,
  FakeListing,
  createListingApp,
  serveListing,
  type TestListing,
} from '@quarry/item-listing/testing';
import { DATASOURCE_ID } from './testing/simulated-gateway.js';
import { createSyncJob } from './testing/sync-bench.js';

const secretCipher = createSecretCipher([randomBytes(32)]);

let queues: InMemoryQueues;
let runs: InMemoryRunGateway;
let safeFetch: SafeFetch;
let server: TestListing;
let keys: (string | string[] | undefined)[];
let now: number;
/** The requests to all listings, in order: `quick` or `slow`, after the listing that received the request. */
let requests: string[];

beforeEach(async () => {
  keys = [];
  requests = [];
  const listing = new FakeListing(createFakeItems(5));
  server = await serveListing(
    createListingApp(listing, (request) => {
      keys.push(request.headers['x-api-key']);
      requests.push('quick');
    }),
  );
  now = Date.parse('2026-06-01T12:00:00Z');
  queues = createInMemoryQueues(undefined, (ms) => {
    now += ms;
  });
  runs = createInMemoryRunGateway();
  const limits = { minBytesPerSecond: 100_000, rateWindowMs: 20 };
  safeFetch = createSafeFetch({ userAgent: 'test', allowLoopback: true, limits });
  startCatalogSync({
    settings: readCatalogSettings({}),
    log: createLog('test', 'silent'),
    queues,
    blobs: createInMemoryBlobStore(),
    gateway: runs.gateway,
    safeFetch,
    secretCipher,
    now: () => new Date(now),
  });
});

afterEach(async () => {
  await safeFetch.close();
  await server.close();
});

/** Runs a sync, and returns its `run-enumerated` and final status events. */
const runSync = async (changes: Partial<SyncCatalog>): Promise<readonly object[]> => {
  const { runId } = await runs.startRun(DATASOURCE_ID);
  await queues.createProducer(catalogQueue).add('sync-catalog', createSyncJob({ runId, url: server.url, ...changes }));
  await queues.runAllJobs();
  const events = queues
    .listAddedJobs(datasourceStatusQueue)
    .filter(({ name, payload }) => name === 'run-enumerated' || ('status' in payload && payload.status !== 'running'));
  return events.map(({ payload }) => payload);
};

describe('startCatalogSync', () => {
  it('a sync reads a listing over HTTP with its encrypted headers, records its items and reports the counts', async () => {
    const sealedHeaders = encryptHeaders(secretCipher, createSyncJob(), { 'X-API-Key': 'secret' });
    expect(await runSync({ sealedHeaders, mode: 'full' })).toMatchObject([{ discovered: 5, complete: true }]);
    expect(new Set(keys)).toEqual(new Set(['secret']));
  });

  it('a sync of a listing that does not exist ends its run with the code listing_not_found', async () => {
    const url = server.url.replace('/items', '/nowhere');
    expect(await runSync({ url })).toMatchObject([{ status: 'error', code: 'listing_not_found' }]);
  });

  it('if a listing is unreachable for half an hour, the sync ends its run with the code listing_unreachable', async () => {
    const startedAt = now;
    await server.close();
    const events = await runSync({});
    expect(events.at(-1)).toMatchObject({ status: 'error', code: 'listing_unreachable' });
    expect(events).toHaveLength(1);
    expect(now - startedAt).toBeLessThanOrEqual(30 * 60_000);
    expect(now - startedAt).toBeGreaterThan(24 * 60_000);
  });

  it('after each failed request to the listing, a sync reports the error code and the number of consecutive failures', async () => {
    await server.close();
    await runSync({});
    const retries = queues.listAddedJobs(datasourceStatusQueue).filter(({ name }) => name === 'run-retrying');
    expect(retries.map(({ payload }) => payload)).toMatchObject(
      retries.map((_, at) => ({ lastError: { code: 'listing_unreachable', attempt: at + 1 } })),
    );
    expect(retries.length).toBeGreaterThan(8);
  });

  it('eight slow listings delay the listing of another customer only until the first request to each slow listing fails', async () => {
    const dripping = await serveListing((_request, response) => {
      requests.push('slow');
      response.write('{');
      const drip = setInterval(() => response.write(' '), 5);
      response.once('close', () => {
        clearInterval(drip);
      });
    });
    const addSyncJob = async (datasourceId: string, url: string): Promise<void> => {
      const { runId } = await runs.startRun(datasourceId);
      await queues.createProducer(catalogQueue).add('sync-catalog', createSyncJob({ runId, datasourceId, url }));
    };
    for (let n = 0; n < 8; n += 1) await addSyncJob(`slow-${n}`, dripping.url);
    await addSyncJob('quick', server.url);
    await queues.runAllJobs();
    expect(requests.slice(0, 10)).toEqual([...Array.from({ length: 8 }, () => 'slow'), 'quick', 'quick']);
    const ends = queues
      .listAddedJobs(datasourceStatusQueue)
      .map(({ payload }) => payload)
      .filter((payload) => 'status' in payload && payload.status !== 'running');
    expect(ends).toMatchObject(Array.from({ length: 8 }, () => ({ status: 'error', code: 'listing_timeout' })));
    await dripping.close();
  });

  it('a sync fails with the code listing_headers_unreadable if its headers were encrypted for another datasource', async () => {
    const other = { organizationId: 'organization', datasourceId: 'another' };
    expect((await runSync({ sealedHeaders: encryptHeaders(secretCipher, other, {}) })).at(-1)).toMatchObject({
      status: 'error',
      code: 'listing_headers_unreadable',
    });
    expect(keys).toEqual([]);
  });
});
