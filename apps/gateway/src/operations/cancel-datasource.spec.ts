import {
  catalogQueue,
  crawlQueue,
  datasourceStatusQueue,
  type DatasourceResponse,
  type RunState,
} from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import type { Queries } from '../database/database.js';
import { runs } from '../database/tables/runs.js';
import { cancelDatasource } from '../datasources/cancel-datasource.js';
import { syncDatasource } from '../datasources/sync-datasource.js';
import { updateDatasource } from '../datasources/update-datasource.js';
import { openRunGateway } from '../runs/record/open-run-gateway.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { publishOutboxJobs } from '../testing/jobs.js';
import { createSite, getStringField, uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const AT = '2026-06-01T12:00:00.000Z';

const used = setUpTenant();

beforeAll(() => {
  startConsumers(used.test.gateway);
});

const getDatasource = async (id: string) =>
  (await used.tenant.api.get(`/api/datasources/${id}`)).body as DatasourceResponse;
const startSync = async (id: string) => used.tenant.api.post(`/api/datasources/${id}/sync`);
const cancelRun = async (id: string) => {
  await publishOutboxJobs(used.test); // the worker has the job
  const response = await used.tenant.api.post(`/api/datasources/${id}/cancel`);
  expectDocumented(response, 'post', '/datasources/{id}/cancel');
  return response;
};

/** Lists the crawl jobs of a site's runs, oldest first. */
async function listCrawlJobs(datasourceId: string) {
  await publishOutboxJobs(used.test);
  return used.test.queues
    .listAddedJobs(crawlQueue)
    .flatMap(({ payload }) => (payload.datasourceId === datasourceId ? payload : []));
}

/** Lists the run states that a crawler receives for a site's crawl jobs, oldest first. */
async function listRunStates(datasourceId: string): Promise<readonly RunState[]> {
  const jobs = await listCrawlJobs(datasourceId);
  return openRunGateway(used.test.gateway).readRunStates(jobs);
}

it('cancelling a run ends the run immediately, keeps the documents that the run has indexed, and reports the run to workers as cancelled', async () => {
  const id = await createSite(used.tenant.api, used.datastore);
  const runId = (await getDatasource(id)).run?.id ?? '';
  const event = { datasourceId: id, runId, at: AT };
  const events = used.test.queues.createProducer(datasourceStatusQueue);
  await events.add('document-settled', { ...event, documentKey: 'a', outcome: 'indexed', fragments: 3 });
  await used.test.queues.runAllJobs();
  const cancelled = await cancelRun(id);
  expect(cancelled.status).toBe(200);
  expect(cancelled.body).toMatchObject({
    status: 'error',
    error: { code: 'cancelled' },
    run: { id: runId, counters: { indexed: 1 }, endedAt: expect.any(String) as unknown },
  });
  expect(await listRunStates(id)).toEqual(['cancelled']);
  await events.add('status-changed', { ...event, sequence: 10_001, status: 'running' });
  await events.add('document-settled', { ...event, documentKey: 'b', outcome: 'failed' });
  await used.test.queues.runAllJobs();
  expect(await getDatasource(id)).toEqual(cancelled.body);
  const documents = await used.tenant.api.get(`/api/datasources/${id}/documents`);
  expect((documents.body as { items: object[] }).items).toMatchObject([{ documentKey: 'a', fragments: 3 }]);
});

it('a sync that starts after a run was cancelled is not reported to workers as cancelled', async () => {
  const id = await createSite(used.tenant.api, used.datastore);
  await cancelRun(id);
  expect((await startSync(id)).body).toMatchObject({ status: 'pending', error: null });
  expect(await listRunStates(id)).toEqual(['cancelled', 'wanted']);
});

it('a cancellation is refused with 409 if no run is in progress', async () => {
  const id = await uploadText(used.tenant.api, used.datastore);
  expect((await cancelRun(id)).status).toBe(200);
  const again = await cancelRun(id);
  expect(again.status).toBe(409);
  expect(again.body).toMatchObject({ code: 'nothing_to_cancel' });
});

it('if a new sync supersedes a crawl, the superseded crawl is reported to workers as cancelled', async () => {
  const id = await createSite(used.tenant.api, used.datastore);
  await publishOutboxJobs(used.test); // the worker has the job
  await startSync(id);
  expect(await listRunStates(id)).toEqual(['cancelled', 'wanted']);
});

it('cancelling, syncing and changing the address of a datasource change nothing if the transaction is rolled back', async () => {
  const id = await createSite(used.tenant.api, used.datastore);
  const gateway = { ...used.test.gateway, db: rollBackTransactions(used.test.gateway.db) };
  await expect(cancelDatasource(gateway, used.tenant.organizationId, id)).rejects.toThrow('rolled back');
  await expect(syncDatasource(gateway, used.tenant.organizationId, id)).rejects.toThrow('rolled back');
  const change = { config: { source_url: 'https://example.com/elsewhere' } };
  await expect(updateDatasource(gateway, used.tenant.organizationId, id, change)).rejects.toThrow('rolled back');
  expect((await getDatasource(id)).status).toBe('pending');
  expect(await listRunStates(id)).toEqual(['wanted']);
});

describe('a new address of a datasource', () => {
  const patchConfig = async (id: string, config: object) =>
    used.tenant.api.patch(`/api/datasources/${id}`).send({ config });

  it('if the address of a site changes during a crawl, a crawl of the new address supersedes the crawl of the old address', async () => {
    const id = await createSite(used.tenant.api, used.datastore);
    await publishOutboxJobs(used.test); // the worker has the job
    const before = await getDatasource(id);
    const patched = await patchConfig(id, { source_url: 'https://example.com/new' });
    expect(patched).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect((await getDatasource(id)).run?.id).not.toBe(before.run?.id);
    const jobs = await listCrawlJobs(id);
    expect(jobs).toMatchObject([{ rootUrl: 'https://example.com/' }, { rootUrl: 'https://example.com/new' }]);
    expect(await listRunStates(id)).toEqual(['cancelled', 'wanted']);
  });

  it('if the address of a listing changes during a sync, a full sync of the new address supersedes the sync of the old address', async () => {
    const body = { type: 'item_listing', name: 'Shop', datastoreId: used.datastore };
    const config = { url: 'https://shop.example.com/items' };
    const id = getStringField(await used.tenant.api.post('/api/datasources').send({ ...body, config }), 'id');
    await used.test.gateway.db.update(runs).set({ mode: 'incremental' }).where(eq(runs.datasourceId, id));
    await publishOutboxJobs(used.test); // the worker has the job
    await patchConfig(id, { url: 'https://shop.example.com/others' });
    await publishOutboxJobs(used.test);
    const jobs = used.test.queues.listAddedJobs(catalogQueue).filter(({ payload }) => payload.datasourceId === id);
    expect(jobs.at(-1)?.payload).toMatchObject({ url: 'https://shop.example.com/others', mode: 'full', dryRun: false });
    expect(jobs).toHaveLength(2);
  });

  it('a change of the address of a site without a run in progress starts no run, and a change of `max_depth` during a run starts no second run', async () => {
    const id = await createSite(used.tenant.api, used.datastore);
    await patchConfig(id, { max_depth: 2, source_url: 'https://example.com/' });
    await cancelRun(id);
    await patchConfig(id, { source_url: 'https://example.com/new' });
    expect((await getDatasource(id)).status).toBe('error');
    expect(await listCrawlJobs(id)).toHaveLength(1);
  });
});

/** Wraps a database so that every transaction is rolled back at its end, as after a broken connection at the commit. */
function rollBackTransactions(db: Queries): Queries {
  const runAndRollBack: Queries['transaction'] = async (work) =>
    db.transaction(async (tx) => {
      await work(tx);
      throw new Error('rolled back');
    });
  return Object.assign(Object.create(db) as Queries, { transaction: runAndRollBack });
}
