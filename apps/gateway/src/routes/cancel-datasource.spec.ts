import { isCancelled } from '@quarry/blob-store';
import { crawlQueue, datasourceStatusQueue, type DatasourceResponse } from '@quarry/contracts';
import { beforeAll, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { publishAll } from '../testing/jobs.js';
import { makeSite, uploadText } from '../testing/make.js';
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

/** The jobs of a site's runs, first to last. */
async function crawls(datasourceId: string) {
  await publishAll(used.test);
  return used.test.queues
    .added(crawlQueue)
    .flatMap(({ payload }) => (payload.datasourceId === datasourceId ? payload : []));
}

it('ends the run under way at once, keeps what it indexed, and lets the services know', async () => {
  const id = await makeSite(used.tenant.api, used.datastore);
  const runId = (await show(id)).run?.id ?? '';
  const told = { datasourceId: id, runId, at: AT };
  const events = used.test.queues.producer(datasourceStatusQueue);
  await events.add('document-settled', { ...told, documentKey: 'a', outcome: 'indexed', fragments: 3 });
  await used.test.queues.drain();
  const cancelled = await cancel(id);
  expect(cancelled.status).toBe(200);
  expect(cancelled.body).toMatchObject({
    status: 'error',
    error: { code: 'cancelled' },
    run: { id: runId, counters: { indexed: 1 }, endedAt: expect.any(String) as unknown },
  });
  const [job] = await crawls(id);
  expect(job && (await isCancelled(used.test.blobs, job))).toBe(true);
  await events.add('status-changed', { ...told, sequence: 10_001, status: 'running' });
  await events.add('document-settled', { ...told, documentKey: 'b', outcome: 'indexed' });
  await used.test.queues.drain();
  expect(await show(id)).toEqual(cancelled.body);
  const documents = await used.tenant.api.get(`/api/datasources/${id}/documents`);
  expect((documents.body as { items: object[] }).items).toMatchObject([{ documentKey: 'a', fragments: 3 }]);
});

it('leaves a sync that follows it alone', async () => {
  const id = await makeSite(used.tenant.api, used.datastore);
  await cancel(id);
  expect((await sync(id)).body).toMatchObject({ status: 'pending', error: null });
  const jobs = await crawls(id);
  expect(await Promise.all(jobs.map(async (job) => isCancelled(used.test.blobs, job)))).toEqual([true, false]);
});

it('refuses where no run is under way', async () => {
  const id = await uploadText(used.tenant.api, used.datastore);
  expect((await cancel(id)).status).toBe(200);
  const again = await cancel(id);
  expect(again.status).toBe(409);
  expect(again.body).toMatchObject({ code: 'nothing_to_cancel' });
});

it('a crawl that is superseded by a sync is not wanted any more', async () => {
  const id = await makeSite(used.tenant.api, used.datastore);
  await sync(id);
  const jobs = await crawls(id);
  expect(await Promise.all(jobs.map(async (job) => isCancelled(used.test.blobs, job)))).toEqual([true, false]);
});
