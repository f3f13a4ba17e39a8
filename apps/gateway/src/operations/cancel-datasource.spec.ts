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
import { openRunGateway } from '../runs/open-run-gateway.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { publishAll } from '../testing/jobs.js';
import { makeSite, textOf, uploadText } from '../testing/make.js';
import { useTenant } from '../testing/use-tenant.js';

const AT = '2026-06-01T12:00:00.000Z';

const used = useTenant();

beforeAll(() => {
  startConsumers(used.test.gateway);
});

const show = async (id: string) => (await used.tenant.api.get(`/api/datasources/${id}`)).body as DatasourceResponse;
const sync = async (id: string) => used.tenant.api.post(`/api/datasources/${id}/sync`);
const cancel = async (id: string) => {
  const response = await used.tenant.api.post(`/api/datasources/${id}/cancel`);
  expectDocumented(response, 'post', '/datasources/{id}/cancel');
  return response;
};

/** Returns the jobs of a site's runs, first to last. */
async function listCrawlJobs(datasourceId: string) {
  await publishAll(used.test);
  return used.test.queues
    .added(crawlQueue)
    .flatMap(({ payload }) => (payload.datasourceId === datasourceId ? payload : []));
}

/** Returns the run states that a crawler receives for the jobs of a site's runs, first to last. */
async function listRunStates(datasourceId: string): Promise<readonly RunState[]> {
  const jobs = await listCrawlJobs(datasourceId);
  return openRunGateway(used.test.gateway).runStates(jobs);
}

it('ends the current run immediately, keeps what it indexed, and reports it to the workers as cancelled', async () => {
  const id = await makeSite(used.tenant.api, used.datastore);
  const runId = (await show(id)).run?.id ?? '';
  const event = { datasourceId: id, runId, at: AT };
  const events = used.test.queues.producer(datasourceStatusQueue);
  await events.add('document-settled', { ...event, documentKey: 'a', outcome: 'indexed', fragments: 3 });
  await used.test.queues.drain();
  const cancelled = await cancel(id);
  expect(cancelled.status).toBe(200);
  expect(cancelled.body).toMatchObject({
    status: 'error',
    error: { code: 'cancelled' },
    run: { id: runId, counters: { indexed: 1 }, endedAt: expect.any(String) as unknown },
  });
  expect(await listRunStates(id)).toEqual(['cancelled']);
  await events.add('status-changed', { ...event, sequence: 10_001, status: 'running' });
  await events.add('document-settled', { ...event, documentKey: 'b', outcome: 'failed' });
  await used.test.queues.drain();
  expect(await show(id)).toEqual(cancelled.body);
  const documents = await used.tenant.api.get(`/api/datasources/${id}/documents`);
  expect((documents.body as { items: object[] }).items).toMatchObject([{ documentKey: 'a', fragments: 3 }]);
});

it('does not affect a sync that starts afterwards', async () => {
  const id = await makeSite(used.tenant.api, used.datastore);
  await cancel(id);
  expect((await sync(id)).body).toMatchObject({ status: 'pending', error: null });
  expect(await listRunStates(id)).toEqual(['cancelled', 'wanted']);
});

it('refuses with 409 if no run is in progress', async () => {
  const id = await uploadText(used.tenant.api, used.datastore);
  expect((await cancel(id)).status).toBe(200);
  const again = await cancel(id);
  expect(again.status).toBe(409);
  expect(again.body).toMatchObject({ code: 'nothing_to_cancel' });
});

it('reports a crawl as cancelled when a new sync supersedes it', async () => {
  const id = await makeSite(used.tenant.api, used.datastore);
  await sync(id);
  expect(await listRunStates(id)).toEqual(['cancelled', 'wanted']);
});

it('changes nothing when the transaction of a cancellation or a sync is rolled back', async () => {
  const id = await makeSite(used.tenant.api, used.datastore);
  const gateway = { ...used.test.gateway, db: rollBackTransactions(used.test.gateway.db) };
  await expect(cancelDatasource(gateway, used.tenant.organizationId, id)).rejects.toThrow('rolled back');
  await expect(syncDatasource(gateway, used.tenant.organizationId, id)).rejects.toThrow('rolled back');
  const change = { config: { source_url: 'https://example.com/elsewhere' } };
  await expect(updateDatasource(gateway, used.tenant.organizationId, id, change)).rejects.toThrow('rolled back');
  expect((await show(id)).status).toBe('pending');
  expect(await listRunStates(id)).toEqual(['wanted']);
});

describe('a new address of a datasource', () => {
  const patch = async (id: string, config: object) => used.tenant.api.patch(`/api/datasources/${id}`).send({ config });

  it('supersedes the crawl of the old address', async () => {
    const id = await makeSite(used.tenant.api, used.datastore);
    const before = await show(id);
    const patched = await patch(id, { source_url: 'https://example.com/new' });
    expect(patched).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect((await show(id)).run?.id).not.toBe(before.run?.id);
    const jobs = await listCrawlJobs(id);
    expect(jobs).toMatchObject([{ rootUrl: 'https://example.com/' }, { rootUrl: 'https://example.com/new' }]);
    expect(await listRunStates(id)).toEqual(['cancelled', 'wanted']);
  });

  it('supersedes the listing sync of the old address, and syncs the new one in full', async () => {
    const body = { type: 'item_listing', name: 'Shop', datastoreId: used.datastore };
    const config = { url: 'https://shop.example.com/items' };
    const id = textOf(await used.tenant.api.post('/api/datasources').send({ ...body, config }), 'id');
    await used.test.gateway.db.update(runs).set({ mode: 'incremental' }).where(eq(runs.datasourceId, id));
    await patch(id, { url: 'https://shop.example.com/others' });
    await publishAll(used.test);
    const jobs = used.test.queues.added(catalogQueue).filter(({ payload }) => payload.datasourceId === id);
    expect(jobs.at(-1)?.payload).toMatchObject({ url: 'https://shop.example.com/others', mode: 'full', dryRun: false });
    expect(jobs).toHaveLength(2);
  });

  it('applies from the next sync if no run is in progress, and other changes start no run', async () => {
    const id = await makeSite(used.tenant.api, used.datastore);
    await patch(id, { max_depth: 2, source_url: 'https://example.com/' });
    await cancel(id);
    await patch(id, { source_url: 'https://example.com/new' });
    expect((await show(id)).status).toBe('error');
    expect(await listCrawlJobs(id)).toHaveLength(1);
  });
});

/** Wraps a database so that every transaction is rolled back at its end, as after a broken connection at the commit. */
function rollBackTransactions(db: Queries): Queries {
  const transaction: Queries['transaction'] = async (work) =>
    db.transaction(async (tx) => {
      await work(tx);
      throw new Error('rolled back');
    });
  return Object.assign(Object.create(db) as Queries, { transaction });
}
