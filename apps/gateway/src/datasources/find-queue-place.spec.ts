import { ingestionQueue, type QueuePlace } from '@quarry/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dispatchLocks } from '../database/tables/dispatch-locks.js';
import { outbox } from '../database/tables/outbox.js';
import type { DispatchState } from '../outbox/dispatch-state.js';
import { type DispatchedQueue, listDispatchedQueues } from '../outbox/dispatched-queues.js';
import { type Dispatcher, openDispatcher } from '../outbox/dispatcher.js';
import type { Throughput } from '../outbox/queue-window.js';
import { createDatastore, createSite, uploadText } from '../testing/create-resources.js';
import { findDatasource } from './datasource-repository.js';
import { findQueuePlace } from './find-queue-place.js';
import { startTestGateway, type Api, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';

let test: TestGateway;

beforeAll(async () => {
  test = await startTestGateway();
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  await finishPublishedJobs();
  await test.gateway.db.delete(outbox);
  await test.gateway.db.delete(dispatchLocks);
});

/** Ends all published jobs of the ingestion queue, without doing their work. */
async function finishPublishedJobs(): Promise<void> {
  const handle = async (): Promise<void> => Promise.resolve();
  const handlers = {
    'index-document': handle,
    'remove-document': handle,
    'remove-datasource': handle,
    'remove-datastore': handle,
  };
  const consumer = test.queues.startConsumer(ingestionQueue, handlers, { concurrency: 1 });
  await test.queues.runAllJobs();
  await consumer.close(0);
}

let measurements = 0;

/** Opens a dispatcher that publishes at most `window` jobs at a time, and that has measured no throughput. */
function openSlowDispatcher(changes: Partial<DispatchedQueue> = {}, window = 2): Dispatcher {
  const queues = listDispatchedQueues(test.queues).map((queue) => ({
    ...queue,
    depth: async () => ({ ...(await queue.depth()), active: 1_000 * measurements++ }),
    ...changes,
  }));
  return openDispatcher(test.gateway, queues, window);
}

interface Uploader extends Tenant {
  /** Uploads a file of `bytes` bytes. @returns the id of its datasource */
  upload(name: string, bytes?: number): Promise<string>;
}

async function createUploader(): Promise<Uploader> {
  const tenant = await test.createTenant();
  const datastore = await createDatastore(tenant.api);
  return { ...tenant, upload: (name, bytes = 1) => uploadText(tenant.api, datastore, 'x'.repeat(bytes), name) };
}

async function getQueuePlace(api: Api, id: string): Promise<QueuePlace | undefined> {
  const response = await api.get(`/api/datasources/${id}`);
  return (response.body as { readonly queue?: QueuePlace }).queue; // the test client compares responses with the OpenAPI document
}

/** Lists the datasource ids of the jobs that were published to the ingestion queue, in the order of publication. */
function listPublishedJobs(): readonly string[] {
  return test.queues.listAddedJobs(ingestionQueue).map(({ payload }) => String(Reflect.get(payload, 'datasourceId')));
}

/**
 * Creates waiting jobs of three organizations, with several classes and sizes.
 * @returns the ids of the datasources of the jobs, each with an API client of its organization
 */
async function createBacklog(): Promise<ReadonlyMap<string, Api>> {
  const [a, b, c] = [await createUploader(), await createUploader(), await createUploader()];
  const waiting = new Map<string, Api>();
  for (let file = 0; file < 5; file += 1) waiting.set(await a.upload(`${file}.txt`), a.api);
  for (const bytes of [300_000, 1, 150_000]) waiting.set(await b.upload(`${bytes}.txt`, bytes), b.api);
  const datastore = await createDatastore(c.api);
  const documents = Array.from({ length: 12 }, (_, index) => ({ id: `document-${index}`, text: 'x' }));
  await c.api.post(`/api/datastores/upsert/${datastore}`).send({ documents });
  const listed = await c.api.get(`/api/datasources?datastoreId=${datastore}`);
  const { items } = listed.body as { readonly items: readonly { readonly id: string }[] }; // as documented
  for (const { id } of items) waiting.set(id, c.api);
  waiting.set(await c.upload('urgent.txt'), c.api);
  return waiting;
}

interface StateChanges {
  readonly active?: number;
  readonly throughput?: Partial<Throughput>;
}

/** Changes the stored state of the dispatchers: the number of active jobs and the throughput. */
async function changeDispatchState({ active, throughput }: StateChanges): Promise<void> {
  const [row] = await test.gateway.db.select().from(dispatchLocks);
  const state = row?.state as DispatchState; // the dispatcher stores this type
  const changed = {
    ...state,
    ...(active !== undefined && { active }),
    throughput: { ...state.throughput, ...throughput },
  };
  await test.gateway.db.update(dispatchLocks).set({ state: changed });
}

describe('the queue place of a waiting datasource', () => {
  it('the queue place of a datasource is the number of jobs that start before its job and have not started yet', async () => {
    const waiting = await createBacklog();
    for (let round = 0; round < 4; round += 1) {
      await finishPublishedJobs();
      await openSlowDispatcher().dispatch();
    }
    const started = listPublishedJobs().length - 2;
    const promised = new Map<string, number | undefined>();
    for (const [id, api] of waiting) promised.set(id, (await getQueuePlace(api, id))?.position);
    while ((await test.gateway.db.$count(outbox)) > 0) {
      await finishPublishedJobs();
      await openSlowDispatcher().dispatch();
    }
    const order = listPublishedJobs().slice(started);
    const found = [...waiting.keys()].map((id) => [id, order.indexOf(id)] as const);
    expect(promised).toEqual(new Map(found.map(([id, position]) => [id, position === -1 ? undefined : position])));
    expect(order).toHaveLength(waiting.size - 6);
  });

  it('the queue place of a datasource is omitted in lists, after the run was cancelled, and while no gateway publishes jobs', async () => {
    const tenant = await createUploader();
    const id = await tenant.upload('a.txt');
    expect(await getQueuePlace(tenant.api, id)).toBeUndefined();
    await openSlowDispatcher({ capacity: () => Promise.resolve(1) }, 1).dispatch();
    const second = await tenant.upload('b.txt');
    expect(await getQueuePlace(tenant.api, id)).toEqual({ position: 0 });
    expect(await getQueuePlace(tenant.api, second)).toEqual({ position: 1 });
    expect((await tenant.api.get('/api/datasources')).text).not.toContain('"position"');
    await tenant.api.post(`/api/datasources/${second}/cancel`);
    expect(await getQueuePlace(tenant.api, second)).toBeUndefined();
  });

  it('if the throughput of the queue was measured, the queue place of a datasource contains the estimated seconds until its job starts', async () => {
    const tenant = await createUploader();
    const ids = [];
    for (const name of ['a', 'b', 'c', 'd']) ids.push(await tenant.upload(`${name}.txt`));
    await openSlowDispatcher().dispatch();
    const [last = ''] = ids.slice(-1);
    expect(await getQueuePlace(tenant.api, last)).toEqual({ position: 3 });
    await changeDispatchState({ active: 2, throughput: { ended: 10, seconds: 5 } });
    expect(await getQueuePlace(tenant.api, last)).toEqual({ position: 3, estimatedSeconds: 2 });
    expect(await getQueuePlace(tenant.api, ids[0] ?? '')).toEqual({ position: 0, estimatedSeconds: 1 });
    await changeDispatchState({ active: 0 });
    expect(await getQueuePlace(tenant.api, last)).toEqual({ position: 3 });
    await changeDispatchState({ active: 2, throughput: { ended: 1, seconds: 5 } });
    expect(await getQueuePlace(tenant.api, last)).toEqual({ position: 3 });
    await changeDispatchState({ throughput: { atMs: 0 } });
    expect(await getQueuePlace(tenant.api, last)).toBeUndefined();
  });

  it('the queue place of a datasource is omitted if more than 1,000 jobs precede its job', async () => {
    const tenant = await createUploader();
    await tenant.upload('a.txt');
    await openSlowDispatcher({}, 1).dispatch();
    const rows = await test.gateway.db.$count(outbox);
    expect(rows).toBe(0);
    const before = {
      organizationId: tenant.organizationId,
      queue: 'ingestion',
      name: 'index-document',
      class: 0,
      cost: 1,
    };
    await test.gateway.db.insert(outbox).values(Array.from({ length: 999 }, () => ({ ...before, payload: {} })));
    const near = await tenant.upload('near.txt');
    const far = await tenant.upload('far.txt');
    expect(await getQueuePlace(tenant.api, near)).toEqual({ position: 1_000 });
    expect(await getQueuePlace(tenant.api, far)).toBeUndefined();
  });

  it('the queue place of a datasource is omitted if its organization has reached its share of the queue and jobs of other organizations wait', async () => {
    const tenant = await test.createTenant();
    const datastore = await createDatastore(tenant.api);
    const sites = [];
    for (let site = 0; site < 5; site += 1) sites.push(await createSite(tenant.api, datastore));
    const dispatcher = openSlowDispatcher({ capacity: () => Promise.resolve(4) });
    await dispatcher.dispatch();
    const [first = '', , , , last = ''] = sites;
    expect(await getQueuePlace(tenant.api, first)).toEqual({ position: 0 });
    expect(await getQueuePlace(tenant.api, last)).toEqual({ position: 4 });
    const other = await test.createTenant();
    const passing = await createSite(other.api, await createDatastore(other.api));
    expect(await getQueuePlace(other.api, passing)).toEqual({ position: 3 });
    expect(await getQueuePlace(tenant.api, last)).toBeUndefined();
  });

  it('the queue place of a datasource is omitted while the queue server does not respond', async () => {
    const tenant = await createUploader();
    const id = await tenant.upload('a.txt');
    await openSlowDispatcher().dispatch();
    const refuseRead = (): Promise<never> => Promise.reject(new Error('ECONNREFUSED'));
    const unavailable = { ...test.gateway, queues: { ...test.queues, countWaitingBefore: refuseRead } };
    const found = await findDatasource(test.gateway.db, tenant.organizationId, id);
    expect(await findQueuePlace(unavailable, found)).toBeUndefined();
    expect(await findQueuePlace(test.gateway, found)).toEqual({ position: 0 });
  });
});
