import {
  catalogQueue,
  crawlQueue,
  type DatasourceResponse,
  type StatusChanged,
  type ReasonCode,
} from '@quarry/contracts';
import { silentLog } from '@quarry/queue/testing';
import { eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Queries } from '../database/database.js';
import { datasources } from '../database/tables/datasources.js';
import { statusesChanged } from '../handlers/run-events.js';
import { publishOutbox } from '../testing/jobs.js';
import { makeDatastore, makeSite, getStringField } from '../testing/make.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { startDueSyncs } from './start-due-syncs.js';

const MINUTE_MS = 60_000;
const LISTING = { url: 'https://shop.example.com/items' };

let now = new Date('2026-06-01T12:00:00.000Z');
let test: TestGateway;
let tenant: Tenant;
let datastore: string;

beforeAll(async () => {
  test = await startTestGateway({ clock: () => now });
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  // Syncs of other tests must not be due.
  await startDueSyncs(test.gateway);
  tenant = await test.tenant();
  datastore = await makeDatastore(tenant.api);
});

const later = (minutes: number): void => {
  now = new Date(now.getTime() + minutes * MINUTE_MS);
};
const show = async (id: string) => (await tenant.api.get(`/api/datasources/${id}`)).body as DatasourceResponse;

async function makeListing(config: object = {}): Promise<string> {
  const body = { type: 'item_listing', name: 'Shop', datastoreId: datastore, config: { ...LISTING, ...config } };
  return getStringField(await tenant.api.post('/api/datasources').send(body), 'id');
}

/** Ends the latest run. */
async function settle(id: string, status: StatusChanged['status'] = 'synched', code?: ReasonCode): Promise<void> {
  const runId = (await show(id)).run?.id ?? '';
  const event = {
    datasourceId: id,
    runId,
    sequence: 9,
    at: now.toISOString(),
    status,
    ...(code === undefined ? {} : { code }),
  };
  await statusesChanged(test.gateway, [event], { log: silentLog });
}

async function jobs(id: string): Promise<readonly (string | undefined)[]> {
  await publishOutbox(test);
  const listed = test.queues.added(catalogQueue).filter(({ payload }) => payload.datasourceId === id);
  const crawled = test.queues.added(crawlQueue).filter(({ payload }) => payload.datasourceId === id);
  return [...listed.map(({ payload }) => payload.mode), ...crawled.map(({ name }) => name)];
}

/** Returns the minutes until the next scheduled sync. */
async function waits(id: string): Promise<number> {
  const { nextSyncAt } = await show(id);
  return (Date.parse(nextSyncAt ?? '') - now.getTime()) / MINUTE_MS;
}

describe('a schedule', () => {
  it('syncs a listing every 15 minutes, and in full once a day', async () => {
    const id = await makeListing();
    expect(await show(id)).toMatchObject({ schedule: 'every 15m' });
    expect(await waits(id)).toBeGreaterThanOrEqual(15);
    expect(await waits(id)).toBeLessThanOrEqual(16.5);
    await settle(id);
    later(14);
    await startDueSyncs(test.gateway);
    expect(await jobs(id)).toEqual(['full']);
    later(3);
    await startDueSyncs(test.gateway);
    expect(await jobs(id)).toEqual(['full', 'incremental']);
    expect((await show(id)).status).toBe('pending');
    await settle(id);
    later(27 * 60);
    await startDueSyncs(test.gateway);
    expect(await jobs(id)).toEqual(['full', 'incremental', 'full']);
    await settle(id);
    later(17);
    await startDueSyncs(test.gateway);
    expect((await jobs(id)).at(-1)).toBe('incremental');
  });

  it('starts each sync once, although several gateways run a scheduler', async () => {
    const ids = [await makeListing(), await makeListing(), await makeListing()];
    for (const id of ids) await settle(id);
    later(20);
    await Promise.all([1, 2, 3, 4].map(async () => startDueSyncs(test.gateway)));
    for (const id of ids) expect(await jobs(id)).toHaveLength(2);
  });

  it('starts no sync that another gateway has started and ended since it was selected', async () => {
    const id = await makeListing();
    await settle(id);
    later(20);
    const { db } = test.gateway;
    const transaction: Queries['transaction'] = async (work) => {
      await startDueSyncs(test.gateway);
      await settle(id);
      return db.transaction(work);
    };
    const late = { ...test.gateway, db: Object.assign(Object.create(db) as Queries, { transaction }) };
    expect(await startDueSyncs(late)).toBe(0);
    expect(await jobs(id)).toHaveLength(2);
  });

  it('starts due syncs behind 50 that cannot be started, and retries those later', async () => {
    const documents = Array.from({ length: 50 }, (_, at) => ({ id: `d${at}`, name: `d${at}`, text: 'text' }));
    expect((await tenant.api.post(`/api/datastores/upsert/${datastore}`).send({ documents })).status).toBe(200);
    const { db } = test.gateway;
    // These datasources have no content to sync, so that their start is refused.
    const broken = { status: 'synched', blobKey: null, nextSyncAt: new Date(0) } as const;
    await db.update(datasources).set(broken).where(eq(datasources.datastoreId, datastore));
    onTestFinished(async () => {
      await db.update(datasources).set({ nextSyncAt: null }).where(isNull(datasources.blobKey));
    });
    const id = await makeListing();
    await settle(id);
    later(20);
    await startDueSyncs(test.gateway);
    expect(await jobs(id)).toHaveLength(1);
    await startDueSyncs(test.gateway);
    expect(await jobs(id)).toHaveLength(2);
    const refusals = () => test.logged.filter((line) => line.includes('a sync that is due cannot be started')).length;
    expect(refusals()).toBe(50);
    later(6);
    await startDueSyncs(test.gateway);
    expect(refusals()).toBe(100);
  });

  it('reads a listing in full although a manual sync superseded the full one', async () => {
    const id = await makeListing();
    await settle(id);
    later(27 * 60);
    await startDueSyncs(test.gateway);
    expect((await tenant.api.post(`/api/datasources/${id}/sync`)).status).toBe(200);
    expect(await jobs(id)).toEqual(['full', 'full', 'full']);
    await settle(id);
    expect((await tenant.api.post(`/api/datasources/${id}/sync`)).status).toBe(200);
    expect((await jobs(id)).at(-1)).toBe('incremental');
  });

  it('does not supersede a run in progress', async () => {
    const id = await makeListing();
    const { run } = await show(id);
    later(20);
    await startDueSyncs(test.gateway);
    expect((await show(id)).run?.id).toBe(run?.id);
    expect(await waits(id)).toBeGreaterThan(14);
  });

  it('waits longer after each failure, and as scheduled after a success', async () => {
    const id = await makeListing({ schedule: 'every 1m', full_sync_every: 'never' });
    const waited: number[] = [];
    for (let failure = 1; failure <= 10; failure += 1) {
      await settle(id, 'error', 'listing_unavailable');
      waited.push(Math.round(await waits(id)));
      later(24 * 60 + 1);
      await startDueSyncs(test.gateway);
    }
    expect(waited).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440]);
    await settle(id);
    later(2);
    await startDueSyncs(test.gateway);
    expect(await jobs(id)).toHaveLength(12);
    expect(await waits(id)).toBeLessThan(2);
  });

  it('waits longer after each failure of a page and of a site, and shows the number of failures', async () => {
    const page = { type: 'web_page', name: 'Page', datastoreId: datastore };
    const config = { source_url: 'https://example.com/page', schedule: 'every 1m' };
    const site = await makeSite(tenant.api, datastore);
    await tenant.api.patch(`/api/datasources/${site}`).send({ config: { schedule: 'every 1m' } });
    for (const id of [
      getStringField(await tenant.api.post('/api/datasources').send({ ...page, config }), 'id'),
      site,
    ]) {
      expect(await show(id)).toMatchObject({ consecutiveFailures: 0 });
      await settle(id, 'error', 'fetch_failed');
      expect([await waits(id), (await show(id)).consecutiveFailures]).toEqual([10, 1]);
      later(11);
      await startDueSyncs(test.gateway);
      await settle(id, 'error', 'fetch_failed');
      expect([await waits(id), (await show(id)).consecutiveFailures]).toEqual([20, 2]);
      later(21);
      await startDueSyncs(test.gateway);
      await settle(id);
      expect(await show(id)).toMatchObject({ consecutiveFailures: 0 });
    }
  });

  it('retries a full sync that failed', async () => {
    const id = await makeListing();
    await settle(id, 'error', 'listing_unavailable');
    later(20);
    await startDueSyncs(test.gateway);
    expect(await jobs(id)).toEqual(['full', 'full']);
  });

  it('reads a listing in full once a day, however often its configuration is changed', async () => {
    const id = await makeListing();
    const patch = async (config: object) => tenant.api.patch(`/api/datasources/${id}`).send({ config });
    for (let hour = 0; hour < 30; hour += 1) {
      await settle(id);
      later(60);
      expect((await patch({ page_size: 50 + hour })).status).toBe(200);
      await startDueSyncs(test.gateway);
    }
    const modes = await jobs(id);
    expect(modes).toHaveLength(31);
    expect(modes.filter((mode) => mode === 'full')).toHaveLength(2);
  });

  it('is changed by a new configuration, but never to a later time', async () => {
    const id = await makeListing({ schedule: 'every 1d' });
    const patch = async (config: object) => tenant.api.patch(`/api/datasources/${id}`).send({ config });
    await patch({ schedule: 'every 1h' });
    expect(await waits(id)).toBeLessThanOrEqual(66);
    later(30);
    const before = await waits(id);
    await patch({ schedule: 'every 2h', full_sync_every: 'every 7d' });
    expect(await waits(id)).toBe(before);
    await patch({ schedule: 'never', full_sync_every: 'never' });
    expect(await show(id)).toMatchObject({ nextSyncAt: null });
  });

  it('reads a listing in full at its next sync when its address was changed', async () => {
    const id = await makeListing();
    await settle(id);
    const before = await waits(id);
    await tenant.api.patch(`/api/datasources/${id}`).send({ config: { url: 'https://example.com/moved' } });
    expect(await waits(id)).toBe(before);
    later(20);
    await startDueSyncs(test.gateway);
    expect(await jobs(id)).toEqual(['full', 'full']);
  });

  it('syncs a site only when it has a schedule, which can be changed and removed', async () => {
    const id = await makeSite(tenant.api, datastore);
    expect(await show(id)).toMatchObject({ schedule: null, nextSyncAt: null });
    await settle(id);
    const patch = async (schedule: string | null) =>
      tenant.api.patch(`/api/datasources/${id}`).send({ config: { schedule } });
    expect((await patch('0 3 * * *')).body).toMatchObject({ schedule: '0 3 * * *', config: { schedule: '0 3 * * *' } });
    expect((await show(id)).nextSyncAt).toMatch(/T03:00:/);
    later(25 * 60);
    await startDueSyncs(test.gateway);
    expect(await jobs(id)).toEqual(['crawl-site', 'crawl-site']);
    expect((await patch('daily')).body).toMatchObject({ status: 400, errors: [{ path: 'config.schedule' }] });
    expect((await patch(null)).body).toMatchObject({ schedule: null, nextSyncAt: null });
  });

  it('applies to a page, whose address cannot be changed', async () => {
    const body = { type: 'web_page', name: 'Page', datastoreId: datastore };
    const config = { source_url: 'https://example.com/page', schedule: 'every 1h' };
    const id = getStringField(await tenant.api.post('/api/datasources').send({ ...body, config }), 'id');
    expect(await show(id)).toMatchObject({ schedule: 'every 1h' });
    const patch = async (change: object) => tenant.api.patch(`/api/datasources/${id}`).send({ config: change });
    expect((await patch({ schedule: 'never' })).body).toMatchObject({ schedule: null, nextSyncAt: null });
    expect((await patch({ source_url: 'https://example.com/other' })).status).toBe(400);
  });

  it('of a listing can be never, and is refused when it cannot be parsed', async () => {
    const id = await makeListing({ schedule: 'never' });
    expect(await show(id)).toMatchObject({ schedule: null, nextSyncAt: null });
    const config = { ...LISTING, full_sync_every: 'sometimes' };
    const body = { type: 'item_listing', name: 'Shop', datastoreId: datastore, config };
    const refused = await tenant.api.post('/api/datasources').send(body);
    expect(refused.body).toMatchObject({ status: 400, errors: [{ path: 'config.full_sync_every' }] });
  });
});
