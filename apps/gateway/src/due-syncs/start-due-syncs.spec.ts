import {
  catalogQueue,
  crawlQueue,
  type DatasourceResponse,
  type StatusChanged,
  type ReasonCode,
} from '@quarry/contracts';
import { silentLog } from '@quarry/queue/testing';
import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Queries } from '../database/database.js';
import { datasources } from '../database/tables/datasources.js';
import { organizations } from '../database/tables/organizations.js';
import { handleStatusesChanged } from '../runs/update/run-events.js';
import { publishOutboxJobs } from '../testing/jobs.js';
import { createDatastore, createSite, getStringField } from '../testing/create-resources.js';
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
  // This starts the due syncs of earlier tests, so that they are not due in the next test.
  await startDueSyncs(test.gateway);
  tenant = await test.createTenant();
  datastore = await createDatastore(tenant.api);
});

const advanceMinutes = (minutes: number): void => {
  now = new Date(now.getTime() + minutes * MINUTE_MS);
};
const getDatasource = async (id: string) => (await tenant.api.get(`/api/datasources/${id}`)).body as DatasourceResponse;

async function createListing(config: object = {}): Promise<string> {
  const body = { type: 'item_listing', name: 'Shop', datastoreId: datastore, config: { ...LISTING, ...config } };
  return getStringField(await tenant.api.post('/api/datasources').send(body), 'id');
}

/** Reports the end of the latest run of a datasource. */
async function endRun(id: string, status: StatusChanged['status'] = 'synched', code?: ReasonCode): Promise<void> {
  const runId = (await getDatasource(id)).run?.id ?? '';
  const event = {
    datasourceId: id,
    runId,
    sequence: 9,
    at: now.toISOString(),
    status,
    ...(code === undefined ? {} : { code }),
  };
  await handleStatusesChanged(test.gateway, [event], { log: silentLog });
  // A successful sync of a listing stores a cursor.
  const isListing = and(eq(datasources.id, id), eq(datasources.type, 'item_listing'));
  if (status === 'synched') await test.gateway.db.update(datasources).set({ listingState: {} }).where(isListing);
}

/**
 * Lists the sync jobs that were enqueued for a datasource so far. The job of a listing appears as its mode, such as
 * `full`. The job of a site or page appears as its name, such as `crawl-site`.
 */
async function listSyncJobs(id: string): Promise<readonly (string | undefined)[]> {
  await publishOutboxJobs(test);
  const listed = test.queues.listAddedJobs(catalogQueue).filter(({ payload }) => payload.datasourceId === id);
  const crawled = test.queues.listAddedJobs(crawlQueue).filter(({ payload }) => payload.datasourceId === id);
  return [...listed.map(({ payload }) => payload.mode), ...crawled.map(({ name }) => name)];
}

/** Returns the number of minutes until the next scheduled sync of a datasource. */
async function getMinutesToNextSync(id: string): Promise<number> {
  const { nextSyncAt } = await getDatasource(id);
  return (Date.parse(nextSyncAt ?? '') - now.getTime()) / MINUTE_MS;
}

describe('the syncs that a schedule starts', () => {
  it('by default, a listing is synced every 15 minutes, and once a day with a full sync', async () => {
    const id = await createListing();
    expect(await getDatasource(id)).toMatchObject({ schedule: 'every 15m' });
    expect(await getMinutesToNextSync(id)).toBeGreaterThanOrEqual(15);
    expect(await getMinutesToNextSync(id)).toBeLessThanOrEqual(16.5);
    await endRun(id);
    advanceMinutes(14);
    await startDueSyncs(test.gateway);
    expect(await listSyncJobs(id)).toEqual(['full']);
    advanceMinutes(3);
    await startDueSyncs(test.gateway);
    expect(await listSyncJobs(id)).toEqual(['full', 'incremental']);
    expect((await getDatasource(id)).status).toBe('pending');
    await endRun(id);
    advanceMinutes(27 * 60);
    await startDueSyncs(test.gateway);
    expect(await listSyncJobs(id)).toEqual(['full', 'incremental', 'full']);
    await endRun(id);
    advanceMinutes(17);
    await startDueSyncs(test.gateway);
    expect((await listSyncJobs(id)).at(-1)).toBe('incremental');
  });

  it('no sync of a deleted organization is started', async () => {
    const id = await createListing();
    await endRun(id);
    advanceMinutes(20);
    const isOwn = eq(organizations.id, tenant.organizationId);
    await test.gateway.db.update(organizations).set({ removedAt: now }).where(isOwn);
    await startDueSyncs(test.gateway);
    expect(await listSyncJobs(id)).toEqual(['full']);
  });

  it('several schedulers that run at the same time start each due sync once', async () => {
    const ids = [await createListing(), await createListing(), await createListing()];
    for (const id of ids) await endRun(id);
    advanceMinutes(20);
    await Promise.all([1, 2, 3, 4].map(async () => startDueSyncs(test.gateway)));
    for (const id of ids) expect(await listSyncJobs(id)).toHaveLength(2);
  });

  it('the scheduler skips a due sync that another gateway has started and ended after the scheduler had selected it', async () => {
    const id = await createListing();
    await endRun(id);
    advanceMinutes(20);
    const { db } = test.gateway;
    const runTransaction: Queries['transaction'] = async (work) => {
      await startDueSyncs(test.gateway);
      await endRun(id);
      return db.transaction(work);
    };
    const late = { ...test.gateway, db: Object.assign(Object.create(db) as Queries, { transaction: runTransaction }) };
    expect(await startDueSyncs(late)).toBe(0);
    expect(await listSyncJobs(id)).toHaveLength(2);
  });

  it('50 due syncs that cannot be started do not block due syncs with a later time, and are retried after 5 minutes', async () => {
    const documents = Array.from({ length: 50 }, (_, at) => ({ id: `d${at}`, name: `d${at}`, text: 'text' }));
    expect((await tenant.api.post(`/api/datastores/upsert/${datastore}`).send({ documents })).status).toBe(200);
    const { db } = test.gateway;
    // The blob keys are removed, because a datasource without content cannot be synced.
    const broken = { status: 'synched', blobKey: null, nextSyncAt: new Date(0) } as const;
    await db.update(datasources).set(broken).where(eq(datasources.datastoreId, datastore));
    onTestFinished(async () => {
      await db.update(datasources).set({ nextSyncAt: null }).where(isNull(datasources.blobKey));
    });
    const id = await createListing();
    await endRun(id);
    advanceMinutes(20);
    await startDueSyncs(test.gateway);
    expect(await listSyncJobs(id)).toHaveLength(1);
    await startDueSyncs(test.gateway);
    expect(await listSyncJobs(id)).toHaveLength(2);
    const countRefusals = () => test.logged.filter((line) => line.includes('failed to start a due sync')).length;
    expect(countRefusals()).toBe(50);
    advanceMinutes(6);
    await startDueSyncs(test.gateway);
    expect(countRefusals()).toBe(100);
  });

  it('a manual sync that supersedes a scheduled full sync of a listing is also a full sync', async () => {
    const id = await createListing();
    await endRun(id);
    advanceMinutes(27 * 60);
    await startDueSyncs(test.gateway);
    await publishOutboxJobs(test); // the worker has the job
    expect((await tenant.api.post(`/api/datasources/${id}/sync`)).status).toBe(200);
    expect(await listSyncJobs(id)).toEqual(['full', 'full', 'full']);
    await endRun(id);
    expect((await tenant.api.post(`/api/datasources/${id}/sync`)).status).toBe(200);
    expect((await listSyncJobs(id)).at(-1)).toBe('incremental');
  });

  it('the scheduler does not start a sync of a datasource that has a run in progress', async () => {
    const id = await createListing();
    const { run } = await getDatasource(id);
    advanceMinutes(20);
    await startDueSyncs(test.gateway);
    expect((await getDatasource(id)).run?.id).toBe(run?.id);
    expect(await getMinutesToNextSync(id)).toBeGreaterThan(14);
  });

  it('if a full sync becomes due during an incremental sync of the same listing, the full sync starts after the incremental sync', async () => {
    const id = await createListing();
    await endRun(id);
    advanceMinutes(20);
    await startDueSyncs(test.gateway);
    advanceMinutes(27 * 60);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await startDueSyncs(test.gateway);
      expect(await listSyncJobs(id)).toEqual(['full', 'incremental']);
      expect(await getMinutesToNextSync(id)).toBeLessThanOrEqual(5);
      advanceMinutes(5);
    }
    await endRun(id);
    await startDueSyncs(test.gateway);
    expect(await listSyncJobs(id)).toEqual(['full', 'incremental', 'full']);
  });

  it('if a full sync becomes due during another full sync of the same listing, the scheduler skips the due sync', async () => {
    const id = await createListing();
    advanceMinutes(27 * 60);
    await startDueSyncs(test.gateway);
    await endRun(id);
    advanceMinutes(20);
    await startDueSyncs(test.gateway);
    expect(await listSyncJobs(id)).toEqual(['full', 'incremental']);
  });

  it('if a full sync becomes due during a full dry run of the same listing, the full sync starts after the dry run', async () => {
    const id = await createListing();
    await endRun(id);
    advanceMinutes(27 * 60);
    expect((await tenant.api.post(`/api/datasources/${id}/sync?full=true&dryRun=true`)).status).toBe(200);
    await startDueSyncs(test.gateway);
    expect(await getMinutesToNextSync(id)).toBeLessThanOrEqual(5);
    await endRun(id);
    advanceMinutes(5);
    await startDueSyncs(test.gateway);
    expect(await listSyncJobs(id)).toEqual(['full', 'full', 'full']);
  });

  it('each failed sync of a listing doubles the delay of the next sync, up to a day, and a success restores the schedule', async () => {
    const id = await createListing({ schedule: 'every 1m', full_sync_every: 'never' });
    const waited: number[] = [];
    for (let failure = 1; failure <= 10; failure += 1) {
      await endRun(id, 'error', 'listing_unavailable');
      waited.push(Math.round(await getMinutesToNextSync(id)));
      advanceMinutes(24 * 60 + 1);
      await startDueSyncs(test.gateway);
    }
    expect(waited).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440]);
    await endRun(id);
    advanceMinutes(2);
    await startDueSyncs(test.gateway);
    expect(await listSyncJobs(id)).toHaveLength(12);
    expect(await getMinutesToNextSync(id)).toBeLessThan(2);
  });

  it('each failed sync of a page or site doubles the delay of the next sync, and consecutiveFailures counts the failures', async () => {
    const page = { type: 'web_page', name: 'Page', datastoreId: datastore };
    const config = { source_url: 'https://example.com/page', schedule: 'every 1m' };
    const site = await createSite(tenant.api, datastore);
    await tenant.api.patch(`/api/datasources/${site}`).send({ config: { schedule: 'every 1m' } });
    for (const id of [
      getStringField(await tenant.api.post('/api/datasources').send({ ...page, config }), 'id'),
      site,
    ]) {
      expect(await getDatasource(id)).toMatchObject({ consecutiveFailures: 0 });
      await endRun(id, 'error', 'fetch_failed');
      expect([await getMinutesToNextSync(id), (await getDatasource(id)).consecutiveFailures]).toEqual([10, 1]);
      advanceMinutes(11);
      await startDueSyncs(test.gateway);
      await endRun(id, 'error', 'fetch_failed');
      expect([await getMinutesToNextSync(id), (await getDatasource(id)).consecutiveFailures]).toEqual([20, 2]);
      advanceMinutes(21);
      await startDueSyncs(test.gateway);
      await endRun(id);
      expect(await getDatasource(id)).toMatchObject({ consecutiveFailures: 0 });
    }
  });

  it('after a full sync of a listing has failed, the next sync of the listing is also a full sync', async () => {
    const id = await createListing();
    await endRun(id, 'error', 'listing_unavailable');
    advanceMinutes(20);
    await startDueSyncs(test.gateway);
    expect(await listSyncJobs(id)).toEqual(['full', 'full']);
  });

  it('a listing has one full sync a day, however often its configuration is changed', async () => {
    const id = await createListing();
    const patchConfig = async (config: object) => tenant.api.patch(`/api/datasources/${id}`).send({ config });
    for (let hour = 0; hour < 30; hour += 1) {
      await endRun(id);
      advanceMinutes(60);
      expect((await patchConfig({ page_size: 50 + hour })).status).toBe(200);
      await startDueSyncs(test.gateway);
    }
    const modes = await listSyncJobs(id);
    expect(modes).toHaveLength(31);
    expect(modes.filter((mode) => mode === 'full')).toHaveLength(2);
  });

  it('changing the schedule of a listing can move the next sync to an earlier time, but never to a later time', async () => {
    const id = await createListing({ schedule: 'every 1d' });
    const patchConfig = async (config: object) => tenant.api.patch(`/api/datasources/${id}`).send({ config });
    await patchConfig({ schedule: 'every 1h' });
    expect(await getMinutesToNextSync(id)).toBeLessThanOrEqual(66);
    advanceMinutes(30);
    const before = await getMinutesToNextSync(id);
    await patchConfig({ schedule: 'every 2h', full_sync_every: 'every 7d' });
    expect(await getMinutesToNextSync(id)).toBe(before);
    await patchConfig({ schedule: 'never', full_sync_every: 'never' });
    expect(await getDatasource(id)).toMatchObject({ nextSyncAt: null });
  });

  it('after the address of a listing has changed, the next sync of the listing is a full sync', async () => {
    const id = await createListing();
    await endRun(id);
    const before = await getMinutesToNextSync(id);
    await tenant.api.patch(`/api/datasources/${id}`).send({ config: { url: 'https://example.com/moved' } });
    expect(await getMinutesToNextSync(id)).toBe(before);
    advanceMinutes(20);
    await startDueSyncs(test.gateway);
    expect(await listSyncJobs(id)).toEqual(['full', 'full']);
  });

  it('if the full sync after a change of the address of a listing fails, the next sync is also a full sync, even without a schedule of full syncs', async () => {
    const id = await createListing({ full_sync_every: 'never' });
    await endRun(id);
    await tenant.api.patch(`/api/datasources/${id}`).send({ config: { url: 'https://example.com/moved' } });
    for (const status of ['error', 'synched', 'synched'] as const) {
      advanceMinutes(20);
      await startDueSyncs(test.gateway);
      await endRun(id, status, status === 'error' ? 'listing_unavailable' : undefined);
    }
    expect(await listSyncJobs(id)).toEqual(['full', 'full', 'full', 'incremental']);
  });

  it('a site is synced automatically only while it has a schedule, which can be changed and removed', async () => {
    const id = await createSite(tenant.api, datastore);
    expect(await getDatasource(id)).toMatchObject({ schedule: null, nextSyncAt: null });
    await endRun(id);
    const patchConfig = async (schedule: string | null) =>
      tenant.api.patch(`/api/datasources/${id}`).send({ config: { schedule } });
    expect((await patchConfig('0 3 * * *')).body).toMatchObject({
      schedule: '0 3 * * *',
      config: { schedule: '0 3 * * *' },
    });
    expect((await getDatasource(id)).nextSyncAt).toMatch(/T03:00:/);
    advanceMinutes(25 * 60);
    await startDueSyncs(test.gateway);
    expect(await listSyncJobs(id)).toEqual(['crawl-site', 'crawl-site']);
    expect((await patchConfig('daily')).body).toMatchObject({ status: 400, errors: [{ path: 'config.schedule' }] });
    expect((await patchConfig(null)).body).toMatchObject({ schedule: null, nextSyncAt: null });
  });

  it('a request may change the schedule of a page, but not the address of the page', async () => {
    const body = { type: 'web_page', name: 'Page', datastoreId: datastore };
    const config = { source_url: 'https://example.com/page', schedule: 'every 1h' };
    const id = getStringField(await tenant.api.post('/api/datasources').send({ ...body, config }), 'id');
    expect(await getDatasource(id)).toMatchObject({ schedule: 'every 1h' });
    const patchConfig = async (change: object) => tenant.api.patch(`/api/datasources/${id}`).send({ config: change });
    expect((await patchConfig({ schedule: 'never' })).body).toMatchObject({ schedule: null, nextSyncAt: null });
    expect((await patchConfig({ source_url: 'https://example.com/other' })).status).toBe(400);
  });

  it('a listing accepts the schedule `never`, and refuses a schedule that cannot be parsed', async () => {
    const id = await createListing({ schedule: 'never' });
    expect(await getDatasource(id)).toMatchObject({ schedule: null, nextSyncAt: null });
    const config = { ...LISTING, full_sync_every: 'sometimes' };
    const body = { type: 'item_listing', name: 'Shop', datastoreId: datastore, config };
    const refused = await tenant.api.post('/api/datasources').send(body);
    expect(refused.body).toMatchObject({ status: 400, errors: [{ path: 'config.full_sync_every' }] });
  });
});
