import {
  catalogQueue,
  datasourceStatusQueue,
  type DatasourceResponse,
  type SyncCatalog,
  type ReasonCode,
} from '@quarry/contracts';
import { decryptHeaders } from '@quarry/encrypted-secrets';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { datasources } from '../database/tables/datasources.js';
import { openRunGateway } from '../runs/record/open-run-gateway.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { publishOutboxJobs } from '../testing/jobs.js';
import { getStringField } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const AT = '2026-06-01T12:00:00.000Z';
const SECRET = 'a-very-secret-value';
const CONFIG = { url: 'https://shop.example.com/items', headers: { 'X-API-Key': SECRET }, page_size: 50 };

const used = setUpTenant();

beforeAll(() => {
  startConsumers(used.test.gateway);
});

const createListing = async (config: object = CONFIG) => {
  const body = { type: 'item_listing', name: 'Shop', datastoreId: used.datastore, config };
  const response = await used.tenant.api.post('/api/datasources').send(body);
  expectDocumented(response, 'post', '/datasources');
  return response;
};
const getDatasource = async (id: string) =>
  (await used.tenant.api.get(`/api/datasources/${id}`)).body as DatasourceResponse;
const startSync = async (id: string, query = '') => {
  const response = await used.tenant.api.post(`/api/datasources/${id}/sync${query}`);
  expectDocumented(response, 'post', '/datasources/{id}/sync');
  return response;
};
const updateConfig = async (id: string, config: object) =>
  used.tenant.api.patch(`/api/datasources/${id}`).send({ config });

async function getLastJob(datasourceId: string): Promise<SyncCatalog | undefined> {
  await publishOutboxJobs(used.test);
  return used.test.queues.listAddedJobs(catalogQueue).findLast(({ payload }) => payload.datasourceId === datasourceId)
    ?.payload;
}

/** Reports the outcome of the latest run of a listing. */
async function reportRunEnd(
  datasourceId: string,
  outcome: { items?: number; error?: ReasonCode; note?: string } = {},
): Promise<void> {
  const runId = (await getDatasource(datasourceId)).run?.id ?? '';
  const events = used.test.queues.createProducer(datasourceStatusQueue);
  const event = { datasourceId, runId, at: AT };
  if (outcome.items !== undefined) await events.add('run-progressed', { ...event, sequence: 2, stage: 'fetching' });
  if (outcome.error !== undefined) {
    await events.add('status-changed', { ...event, sequence: 3, status: 'error', code: outcome.error, message: 'No.' });
  } else {
    const note = outcome.note === undefined ? {} : { note: outcome.note };
    await events.add('run-enumerated', { ...event, complete: false, listingState: {}, ...note });
  }
  await used.test.queues.runAllJobs();
}

describe('an item listing', () => {
  it('the first sync reads a listing in full, and neither responses nor logs contain the request headers of the listing', async () => {
    const created = await createListing();
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ type: 'item_listing', status: 'pending', config: { page_size: 50 } });
    const id = getStringField(created, 'id');
    const job = await getLastJob(id);
    expect(job).toMatchObject({ url: CONFIG.url, mode: 'full', dryRun: false, pageSize: 50 });
    const { organizationId } = used.tenant;
    expect(
      decryptHeaders(used.test.secretCipher, { organizationId, datasourceId: id }, job?.sealedHeaders ?? ''),
    ).toEqual(CONFIG.headers);
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, id));
    const list = await used.tenant.api.get('/api/datasources');
    const all = [created.text, list.text, JSON.stringify(row), JSON.stringify(job), ...used.test.logged].join();
    expect(all).not.toMatch(/a-very-secret|X-API-Key/i);
  });

  it('after its first sync, a listing is synced incrementally, but a dry run with `full=true` reads it in full', async () => {
    const id = getStringField(await createListing({ url: CONFIG.url }), 'id');
    await reportRunEnd(id);
    await startSync(id);
    expect(await getLastJob(id)).toMatchObject({ mode: 'incremental', dryRun: false, pageSize: 100 });
    expect((await getLastJob(id))?.sealedHeaders).toBeUndefined();
    await reportRunEnd(id);
    await startSync(id, '?full=true&dryRun=true');
    expect(await getLastJob(id)).toMatchObject({ mode: 'full', dryRun: true });
  });

  it('after the address of an idle listing has changed, each requested sync is a full sync until one of them succeeds, except dry runs', async () => {
    const id = getStringField(await createListing(), 'id');
    await reportRunEnd(id);
    await updateConfig(id, { url: 'https://shop.example.com/others' });
    await startSync(id, '?dryRun=true');
    expect(await getLastJob(id)).toMatchObject({ mode: 'incremental', dryRun: true });
    await reportRunEnd(id);
    await startSync(id);
    expect(await getLastJob(id)).toMatchObject({ mode: 'full', dryRun: false });
    await reportRunEnd(id, { error: 'listing_not_json' });
    await startSync(id);
    expect(await getLastJob(id)).toMatchObject({ mode: 'full' });
    await reportRunEnd(id);
    await startSync(id);
    expect(await getLastJob(id)).toMatchObject({ mode: 'incremental' });
  });

  it('a dry run keeps the status and error of a listing, and the note of the run describes the changes that a sync would make', async () => {
    const id = getStringField(await createListing(), 'id');
    await reportRunEnd(id, { error: 'listing_not_json' });
    const before = await getDatasource(id);
    await startSync(id, '?dryRun=true');
    await reportRunEnd(id, { note: 'A dry run, which changed nothing: 3 items would be indexed.' });
    const after = await getDatasource(id);
    expect(after).toMatchObject({ status: 'error', error: before.error, lastSynch: null });
    expect(after.run?.note).toContain('3 items would be indexed');
    await startSync(id);
    await reportRunEnd(id);
    const synched = await getDatasource(id);
    await startSync(id, '?dryRun=true');
    await reportRunEnd(id, { error: 'listing_not_json' });
    expect(await getDatasource(id)).toMatchObject({ status: 'synched', error: null, lastSynch: synched.lastSynch });
  });

  it('a dry run is refused for a web page, and for a listing with a run in progress', async () => {
    const id = getStringField(await createListing(), 'id');
    expect(await startSync(id, '?dryRun=true')).toMatchObject({ status: 409, body: { code: 'run_under_way' } });
    const config = { source_url: 'https://example.com' };
    const page = { type: 'web_page', name: 'Page', datastoreId: used.datastore, config };
    const pageId = getStringField(await used.tenant.api.post('/api/datasources').send(page), 'id');
    expect((await startSync(pageId, '?dryRun=true')).status).toBe(400);
    expect((await startSync(pageId, '?full=true')).status).toBe(400);
    expect((await startSync(pageId, '?colour=red')).status).toBe(400);
  });

  it('if a sync ends in error because all items are invalid, the next sync still continues from the cursor of that sync', async () => {
    const id = getStringField(await createListing(), 'id');
    const event = { datasourceId: id, runId: (await getDatasource(id)).run?.id ?? '', at: AT };
    const settled = [{ documentKey: 'item:7', outcome: 'failed', code: 'item_invalid', message: 'no title' }] as const;
    await openRunGateway(used.test.gateway).recordDocuments({ ...event, toIndex: [], settled });
    const events = used.test.queues.createProducer(datasourceStatusQueue);
    await events.add('run-enumerated', { ...event, complete: false, listingState: { cursor: 1 } });
    await used.test.queues.runAllJobs();
    expect(await getDatasource(id)).toMatchObject({ status: 'error' });
    await startSync(id);
    expect(await getLastJob(id)).toMatchObject({ listingState: { cursor: 1 } });
  });

  it('a sync continues from the cursor of the last sync of the same address, but ignores dry runs and incremental syncs with a failed item', async () => {
    const id = getStringField(await createListing(), 'id');
    const buildItem = (documentKey: string) => ({
      ...{ documentKey, name: documentKey, version: 'v1', blobKey: `items/${documentKey}`, mimeType: 'text/markdown' },
    });
    /** Ends the latest run with two items, one of the given outcome and one indexed, and starts the next sync. */
    const endRunAndStartSync = async (cursor: number, outcome: 'indexed' | 'failed', query = ''): Promise<void> => {
      const runId = (await getDatasource(id)).run?.id ?? '';
      const event = { datasourceId: id, runId, at: AT };
      const documents = openRunGateway(used.test.gateway);
      await documents.recordDocuments({ ...event, toIndex: [buildItem(outcome), buildItem('always')], settled: [] });
      const events = used.test.queues.createProducer(datasourceStatusQueue);
      await events.add('document-settled', { ...event, documentKey: outcome, outcome });
      await events.add('document-settled', { ...event, documentKey: 'always', outcome: 'indexed' });
      await events.add('run-enumerated', { ...event, complete: false, listingState: { cursor } });
      await used.test.queues.runAllJobs();
      expect((await getDatasource(id)).run?.endedAt).not.toBeNull();
      await startSync(id, query);
    };
    expect((await getLastJob(id))?.listingState).toBeUndefined();
    await endRunAndStartSync(1, 'failed', '?full=true');
    expect(await getLastJob(id)).toMatchObject({ mode: 'full', listingState: { cursor: 1 } });
    await endRunAndStartSync(2, 'indexed');
    expect(await getLastJob(id)).toMatchObject({ mode: 'incremental', listingState: { cursor: 2 } });
    await endRunAndStartSync(3, 'failed', '?dryRun=true');
    expect(await getLastJob(id)).toMatchObject({ listingState: { cursor: 2 } });
    await endRunAndStartSync(4, 'indexed');
    expect(await getLastJob(id)).toMatchObject({ listingState: { cursor: 2 } });
    await endRunAndStartSync(5, 'indexed');
    expect(await getLastJob(id)).toMatchObject({ listingState: { cursor: 5 } });
    await updateConfig(id, { url: 'https://shop.example.com/others' });
    await startSync(id);
    expect((await getLastJob(id))?.listingState).toBeUndefined();
  });

  it.each([
    [{ url: 'http://127.0.0.1/items' }, 'config.url'],
    [{ url: 'http://2130706433/items' }, 'config.url'],
    [{ url: 'http://[::1]/items' }, 'config.url'],
    [{ url: 'http://localhost:3000/items' }, 'config.url'],
    [{ url: 'http://192.168.0.1/items' }, 'config.url'],
    [{ url: 'https://user:password@shop.example.com/' }, 'config.url'],
    [{ url: CONFIG.url, headers: SECRET }, 'config.headers'],
    [{ url: CONFIG.url, headers: { 'X-API-Key': 7 } }, 'config.headers'],
    [{ url: CONFIG.url, headers: { 'X-API-Key': `${SECRET}\r\nX: y` } }, 'config.headers'],
    [{ url: CONFIG.url, headers: { 'a name with blanks': SECRET } }, 'config.headers'],
    [{ url: CONFIG.url, headers: { Host: SECRET } }, 'config.headers'],
    [{ url: 'nonsense', headers: { 'X-API-Key': SECRET } }, 'config.url'],
    [{ url: CONFIG.url, page_size: 0 }, 'config.page_size'],
    [[CONFIG], 'config'],
  ])(
    'POST /api/datasources refuses a listing with the configuration %j, and names the field %s',
    async (config, path) => {
      const response = await createListing(config);
      expect(response.body).toMatchObject({ status: 400, errors: [{ path }] });
      expect([response.text, ...used.test.logged].join()).not.toMatch(SECRET);
    },
  );

  it('POST /api/datasources refuses a listing with headers of 20,000 characters', async () => {
    const response = await createListing({ url: CONFIG.url, headers: { X: 'y'.repeat(20_000) } });
    expect(response.body).toMatchObject({ status: 400, errors: [{ path: 'config.headers' }] });
  });
});

describe('PATCH /api/datasources/{id} of an item listing', () => {
  it('PATCH /api/datasources/{id} changes the given fields of a listing, keeps its headers if `headers` is absent, and removes them if it is null', async () => {
    const id = getStringField(await createListing(), 'id');
    const { sealedHeaders } = (await getLastJob(id)) ?? {};
    const url = 'https://shop.example.com/all';
    expect((await updateConfig(id, { url })).body).toMatchObject({ config: { url, page_size: 50 } });
    await startSync(id);
    expect(await getLastJob(id)).toMatchObject({ url, sealedHeaders });
    await updateConfig(id, { headers: { Other: 'header' }, page_size: null });
    await startSync(id);
    const job = await getLastJob(id);
    const { organizationId } = used.tenant;
    expect(
      decryptHeaders(used.test.secretCipher, { organizationId, datasourceId: id }, job?.sealedHeaders ?? ''),
    ).toEqual({
      Other: 'header',
    });
    expect(job?.pageSize).toBe(100);
    await updateConfig(id, { headers: null });
    await startSync(id);
    expect((await getLastJob(id))?.sealedHeaders).toBeUndefined();
  });

  it('PATCH /api/datasources/{id} refuses a new address on another server unless the headers are replaced or removed', async () => {
    const id = getStringField(await createListing(), 'id');
    const url = 'https://elsewhere.example.com/items';
    expect(await updateConfig(id, { url })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'config.headers' }] },
    });
    expect((await updateConfig(id, { url, headers: null })).status).toBe(200);
  });

  it('PATCH /api/datasources/{id} refuses a configuration that POST /api/datasources would refuse', async () => {
    const id = getStringField(await createListing(), 'id');
    expect((await updateConfig(id, { url: null })).body).toMatchObject({ errors: [{ path: 'config.url' }] });
    expect((await updateConfig(id, { url: 'http://10.0.0.1/', headers: null })).status).toBe(400);
    expect((await updateConfig(id, { colour: 'red' })).status).toBe(400);
  });
});
