import { crawlQueue, ingestionQueue } from '@quarry/contracts';
import { eq, inArray, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectEventually } from '../testing/expect-eventually.js';
import { dispatchLocks } from '../database/tables/dispatch-locks.js';
import { datasources } from '../database/tables/datasources.js';
import { organizations } from '../database/tables/organizations.js';
import { runs } from '../database/tables/runs.js';
import { createDatabaseRunGateway } from '../runs/record/open-run-gateway.js';
import { outbox } from '../database/tables/outbox.js';
import { getStringField, createDatastore, createSite, uploadText } from '../testing/create-resources.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { createWakeSignal, writeOutboxJobs } from './outbox.js';
import { type DispatchedQueue, listDispatchedQueues, type Publish } from './dispatched-queues.js';
import { getMaxUnfinishedJobs, openDispatcher, startDispatcher } from './dispatcher.js';
import { QueueWindow } from './queue-window.js';
import { listLanes, measureWaitingJobs } from './waiting-jobs.js';

let test: TestGateway;
let tenant: Tenant;
let datastore: string;

beforeAll(async () => {
  test = await startTestGateway();
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  await test.gateway.db.delete(outbox);
  await test.gateway.db.delete(dispatchLocks);
  tenant = await test.createTenant();
  datastore = await createDatastore(tenant.api);
});

/**
 * Runs one round of a dispatcher whose queues have room for at least 1,000 waiting jobs.
 *
 * @param ingest replaces the publisher of the ingestion queue
 */
async function dispatchOnce(ingest?: Publish): Promise<number> {
  const queues = listDispatchedQueues(test.queues).map((queue): DispatchedQueue => {
    if (queue.name === ingestionQueue.name && ingest !== undefined) return { ...queue, publish: ingest };
    return queue;
  });
  return (await openDispatcher(test.gateway, queues, 1_000).dispatch()).published;
}

async function publishIngestionJobs(rows: Parameters<Publish>[0]): Promise<void> {
  await listDispatchedQueues(test.queues)
    .find(({ name }) => name === ingestionQueue.name)
    ?.publish(rows);
}

const URGENT = { class: 'interactive', cost: 1 } as const;

const countWaitingJobs = async (): Promise<number> => test.gateway.db.$count(outbox);

function listOwnJobs(): readonly string[] {
  const own = test.queues
    .listAddedJobs(ingestionQueue)
    .filter(({ payload }) => payload.organizationId === tenant.organizationId);
  return own.map(({ id }) => id);
}

describe('the outbox', () => {
  it('listLanes returns an empty list for a queue without waiting jobs', async () => {
    expect(await listLanes(test.gateway.db, ingestionQueue.name, 10)).toEqual([]);
  });

  it('creating a datasource writes its job to the outbox, and publishing the job removes it from the outbox', async () => {
    await uploadText(tenant.api, datastore);
    expect(await countWaitingJobs()).toBe(1);
    expect(listOwnJobs()).toEqual([]);
    expect(await dispatchOnce()).toBe(1);
    expect(listOwnJobs()).toHaveLength(1);
    expect(await countWaitingJobs()).toBe(0);
    expect(await dispatchOnce()).toBe(0);
  });

  it('if a gateway publishes a job but crashes before it deletes the job from the outbox, the job is published again and the queue ignores the duplicate', async () => {
    await uploadText(tenant.api, datastore);
    const publishAndCrash: Publish = async (rows) => {
      await publishIngestionJobs(rows);
      throw new Error('the process crashed');
    };
    await expect(dispatchOnce(publishAndCrash)).rejects.toThrow('the process crashed');
    expect(listOwnJobs()).toHaveLength(1);
    expect(await countWaitingJobs()).toBe(1);
    await dispatchOnce();
    expect(listOwnJobs()).toHaveLength(1);
    expect(await countWaitingJobs()).toBe(0);
  });

  it('the dispatcher publishes jobs in order, and a second dispatcher does not publish jobs that the first dispatcher has claimed', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `file ${String(index).padStart(2, '0')}.txt`);
    for (const name of names) await uploadText(tenant.api, datastore, 'x', name);
    const seen: string[] = [];
    const begun = Promise.withResolvers<undefined>();
    const release = Promise.withResolvers<undefined>();
    const publishSlowly: Publish = async (rows) => {
      seen.push(...rows.map(({ payload }) => String(Reflect.get(payload, 'name'))));
      begun.resolve(undefined);
      await release.promise;
    };
    const first = dispatchOnce(publishSlowly);
    await begun.promise;
    expect(await dispatchOnce(publishSlowly)).toBe(0);
    release.resolve(undefined);
    await first;
    expect(seen).toEqual(names);
    expect(await countWaitingJobs()).toBe(0);
  });

  it('the dispatcher holds no row lock while a queue does not respond', async () => {
    await uploadText(tenant.api, datastore);
    const begun = Promise.withResolvers<undefined>();
    const answer = Promise.withResolvers<undefined>();
    const publishWithoutAnswer: Publish = async () => {
      begun.resolve(undefined);
      await answer.promise;
    };
    const publishing = dispatchOnce(publishWithoutAnswer);
    await begun.promise;
    const free = await test.gateway.db.select().from(outbox).for('update', { noWait: true });
    expect(free).toHaveLength(1);
    answer.resolve(undefined);
    expect(await publishing).toBe(1);
    expect(await countWaitingJobs()).toBe(0);
  });

  it('a dispatcher publishes the jobs that a crashed dispatcher had claimed, after the claim has expired', async () => {
    await uploadText(tenant.api, datastore);
    const published = Promise.withResolvers<undefined>();
    const publishAndCrash: Publish = async (rows) => {
      await publishIngestionJobs(rows);
      published.resolve(undefined);
      await new Promise<never>(() => undefined);
    };
    void dispatchOnce(publishAndCrash);
    await published.promise;
    expect(await dispatchOnce()).toBe(0);
    const [claimed] = await test.gateway.db.select().from(outbox);
    expect(claimed?.claimedUntil?.getTime()).toBeGreaterThan(Date.now());
    await test.gateway.db.update(outbox).set({ claimedUntil: sql`now() - interval '1 second'` });
    await test.gateway.db.delete(dispatchLocks);
    expect(await dispatchOnce()).toBe(1);
    expect(listOwnJobs()).toHaveLength(1);
    expect(await countWaitingJobs()).toBe(0);
  });

  it('if one queue is unavailable, the dispatcher keeps the jobs of this queue in the outbox in order, and deletes the jobs that another queue accepted', async () => {
    await createSite(tenant.api, datastore);
    const names = ['a.txt', 'b.txt'];
    for (const name of names) await uploadText(tenant.api, datastore, 'x', name);
    const seen: string[] = [];
    let isAvailable = false;
    const publishIfAvailable: Publish = async (rows) => {
      if (!isAvailable) throw new Error('ECONNREFUSED');
      seen.push(...rows.map(({ payload }) => String(Reflect.get(payload, 'name'))));
    };
    await expect(dispatchOnce(publishIfAvailable)).rejects.toThrow('ECONNREFUSED');
    expect(await countWaitingJobs()).toBe(names.length);
    isAvailable = true;
    expect(await dispatchOnce(publishIfAvailable)).toBe(names.length);
    expect(seen).toEqual(names);
  });

  it('if a queue refuses a job, the dispatcher logs the refusal, keeps the job in the outbox, and publishes the jobs that follow', async () => {
    const { organizationId } = tenant;
    await writeOutboxJobs(test.gateway.db, organizationId, [
      { ...URGENT, queue: 'ingestion', name: 'index-document', payload: { organizationId } },
      { ...URGENT, queue: 'no-such-queue', name: 'x', payload: {} },
    ]);
    await uploadText(tenant.api, datastore);
    expect(await dispatchOnce()).toBe(2);
    expect(listOwnJobs()).toHaveLength(1);
    const refused = await test.gateway.db.select().from(outbox).orderBy(outbox.id);
    expect(refused.map(({ refusal }) => refusal)).toEqual([
      expect.stringContaining('datastoreId'),
      null, // a newer gateway may support this queue
    ]);
    expect(test.logged.join('')).toContain('a job was refused by its queue');
    expect(await dispatchOnce()).toBe(0);
  });

  it('the dispatcher removes fields that this gateway version does not support from the payload of a job', async () => {
    const { organizationId } = tenant;
    const removal = { organizationId, datastoreId: datastore };
    const payload = { ...removal, underWay: ['a'] };
    await writeOutboxJobs(test.gateway.db, organizationId, [
      { ...URGENT, queue: 'ingestion', name: 'remove-datastore', payload },
    ]);
    await uploadText(tenant.api, datastore);
    expect(await dispatchOnce()).toBe(2);
    expect(await countWaitingJobs()).toBe(0);
    expect(test.queues.listAddedJobs(ingestionQueue).map((job) => job.payload)).toContainEqual(removal);
  });

  it('writeOutboxJobs writes 20,000 jobs, which need more parameters than one SQL statement can have', async () => {
    const job = { ...URGENT, queue: 'ingestion', name: 'remove-datastore', payload: {} };
    await writeOutboxJobs(
      test.gateway.db,
      tenant.organizationId,
      Array.from({ length: 20_000 }, () => job),
    );
    expect(await countWaitingJobs()).toBe(20_000);
    await writeOutboxJobs(test.gateway.db, tenant.organizationId, []);
  });
});

/** Runs all jobs in the ingestion queue, so that the queue has room for new jobs. */
async function drainIngestion(): Promise<void> {
  const doNothing = async (): Promise<void> => Promise.resolve();
  const handlers = {
    'index-document': doNothing,
    'remove-document': doNothing,
    'remove-datasource': doNothing,
    'remove-datastore': doNothing,
  };
  const consumer = test.queues.startConsumer(ingestionQueue, handlers, { concurrency: 1 });
  await test.queues.runAllJobs();
  await consumer.close(0);
}

describe('the fair dispatcher', () => {
  beforeEach(drainIngestion);

  it('the dispatcher publishes only as many jobs as the queue has room for, and publishes more jobs when jobs end', async () => {
    for (let file = 0; file < 12; file += 1) await uploadText(tenant.api, datastore, 'x', `${file}.txt`);
    const dispatcher = openDispatcher(test.gateway, listDispatchedQueues(test.queues));
    expect(await dispatcher.dispatch()).toEqual({ published: 8, isFull: true });
    expect(await dispatcher.dispatch()).toEqual({ published: 0, isFull: true });
    expect(await countWaitingJobs()).toBe(4);
    await drainIngestion();
    expect(await dispatcher.dispatch()).toEqual({ published: 4, isFull: false });
    expect(listOwnJobs()).toHaveLength(12);
  });

  it('the dispatcher publishes the job of a single upload before the earlier jobs of a large import by another organization', async () => {
    const documents = Array.from({ length: 100 }, (_, index) => ({ id: `document-${index}`, text: 'x' }));
    await tenant.api.post(`/api/datastores/upsert/${datastore}`).send({ documents });
    const other = await test.createTenant();
    await uploadText(other.api, await createDatastore(other.api));
    const owners = await publishAndListOrganizations();
    expect(owners[0]).toBe(other.organizationId);
    expect(owners).toHaveLength(101);
  });

  it('the dispatcher alternates between organizations whose jobs have the same class', async () => {
    const other = await test.createTenant();
    const otherDatastore = await createDatastore(other.api);
    for (let file = 0; file < 4; file += 1) await uploadText(tenant.api, datastore, 'x', `${file}.txt`);
    for (let file = 0; file < 2; file += 1) await uploadText(other.api, otherDatastore, 'x', `${file}.txt`);
    const [a, b] = [tenant.organizationId, other.organizationId];
    const owners = await publishAndListOrganizations();
    expect(owners.slice(0, 4).toSorted()).toEqual([a, a, b, b].toSorted());
    expect(owners.slice(4)).toEqual([a, a]);
  });

  it('the jobs of one organization use at most three quarters of the capacity of the crawl queue, whose jobs call external servers', async () => {
    for (let site = 0; site < 5; site += 1) await createSite(tenant.api, datastore);
    const other = await test.createTenant();
    await createSite(other.api, await createDatastore(other.api));
    const queues = listDispatchedQueues(test.queues).filter(({ name }) => name === crawlQueue.name);
    const busy = queues.map((queue) => ({
      ...queue,
      capacity: () => Promise.resolve(4),
      depth: () => Promise.resolve({ waiting: 0, active: 1, delayed: 0, completed: 0, failed: 0 }),
      countByOrganization: () => Promise.resolve(new Map([[tenant.organizationId, 1]])),
      publish: async (rows: Parameters<Publish>[0]) => {
        published.push(...rows.map(({ organizationId }) => organizationId));
        return Promise.resolve();
      },
    }));
    const published: string[] = [];
    await openDispatcher(test.gateway, busy).dispatch();
    expect(published.filter((id) => id === tenant.organizationId)).toHaveLength(2);
    expect(published.filter((id) => id === other.organizationId)).toHaveLength(1);
    expect(await countWaitingJobs()).toBe(3);
  });

  it('the dispatcher publishes only as many document jobs of a crawl as the queue has room for', async () => {
    const datasourceId = await createSite(tenant.api, datastore);
    await dispatchOnce();
    const [run] = await test.gateway.db.select().from(runs).where(eq(runs.datasourceId, datasourceId));
    const runGateway = createDatabaseRunGateway(test.gateway);
    const found = { name: 'Page', blobKey: 'pages/1', mimeType: 'text/markdown' };
    for (let request = 0; request < 3; request += 1) {
      const toIndex = Array.from({ length: 500 }, (_, index) => ({
        ...found,
        documentKey: `page-${request}-${index}`,
      }));
      const at = new Date().toISOString();
      await runGateway.recordDocuments({ datasourceId, runId: run?.id ?? '', at, toIndex, settled: [] });
    }
    const dispatcher = openDispatcher(test.gateway, listDispatchedQueues(test.queues));
    for (let round = 0; round < 5; round += 1) await dispatcher.dispatch();
    expect(listOwnJobs()).toHaveLength(8);
    expect(await countWaitingJobs()).toBe(1_492);
  });

  it('the dispatcher publishes the document job of a single crawled page before the jobs of an import of the same organization', async () => {
    const created = await tenant.api
      .post('/api/datasources')
      .send({ datastoreId: datastore, type: 'web_page', config: { source_url: 'https://example.com/' } });
    const datasourceId = getStringField(created, 'id');
    await dispatchOnce();
    const documents = Array.from({ length: 20 }, (_, index) => ({ id: `document-${index}`, text: 'x' }));
    await tenant.api.post(`/api/datastores/upsert/${datastore}`).send({ documents });
    const job = test.queues.listAddedJobs(crawlQueue).find(({ payload }) => payload.datasourceId === datasourceId);
    if (job?.name !== 'crawl-page') throw new Error('expected the job of the page to be published');
    const { url, ...shared } = job.payload;
    const page = { documentKey: url, name: 'Page', blobKey: 'pages/1', mimeType: 'text/markdown' };
    expect(await createDatabaseRunGateway(test.gateway).enqueueDocument({ ...shared, ...page })).toBe('wanted');
    expect(listOwnJobs()).toEqual([]);
    expect((await openDispatcher(test.gateway, listDispatchedQueues(test.queues), 1).dispatch()).published).toBe(1);
    const [first] = test.queues.listAddedJobs(ingestionQueue).slice(-1);
    expect(first?.payload).toMatchObject({ datasourceId, documentKey: url });
  });

  it('the dispatcher divides the places of a full queue among organizations by their weights', async () => {
    const other = await test.createTenant();
    const otherDatastore = await createDatastore(other.api);
    for (let file = 0; file < 8; file += 1) await uploadText(tenant.api, datastore, 'x', `${file}.txt`);
    for (let file = 0; file < 8; file += 1) await uploadText(other.api, otherDatastore, 'x', `${file}.txt`);
    await setJobWeight(other.organizationId, 3);
    const owners = await publishAndListOrganizations();
    expect(owners.slice(0, 8).filter((owner) => owner === other.organizationId)).toHaveLength(6);
  });

  it('if an organization has reached its limit of concurrent jobs, the dispatcher publishes its next jobs only when published jobs have ended', async () => {
    await setConcurrentJobs(2);
    for (let file = 0; file < 5; file += 1) await uploadText(tenant.api, datastore, 'x', `${file}.txt`);
    const other = await test.createTenant();
    const otherDatastore = await createDatastore(other.api);
    for (let file = 0; file < 3; file += 1) await uploadText(other.api, otherDatastore, 'x', `${file}.txt`);
    expect(await dispatchOnce()).toBe(5);
    expect(listOwnJobs()).toHaveLength(2);
    expect(await dispatchOnce()).toBe(0);
    await drainIngestion();
    expect(await dispatchOnce()).toBe(2);
    await setConcurrentJobs(null);
    expect(await dispatchOnce()).toBe(1);
  });

  it('several dispatchers together do not exceed the job limit of an organization, whether they dispatch in turn or at the same time', async () => {
    await setConcurrentJobs(3);
    for (let file = 0; file < 12; file += 1) await uploadText(tenant.api, datastore, 'x', `${file}.txt`);
    for (let published = 3; published <= 12; published += 3) {
      await Promise.all([dispatchOnce(), dispatchOnce(), dispatchOnce()]);
      await dispatchOnce();
      expect(listOwnJobs()).toHaveLength(published);
      await drainIngestion();
    }
  });

  it('the dispatcher counts jobs that wait for a retry toward the job limit of the organization', async () => {
    await setConcurrentJobs(2);
    for (let file = 0; file < 3; file += 1) await uploadText(tenant.api, datastore, 'x', `${file}.txt`);
    const delayed = { payload: { organizationId: tenant.organizationId } };
    const listUnfinished: typeof test.queues.listUnfinished = (_, __, { withDelayed = false } = {}) =>
      Promise.resolve(withDelayed ? ([delayed] as never) : []);
    const queues = listDispatchedQueues({ ...test.queues, listUnfinished });
    expect((await openDispatcher(test.gateway, queues).dispatch()).published).toBe(1);
    const many = { waiting: 0, active: 0, delayed: 5_000, completed: 0, failed: 0 };
    const full = listDispatchedQueues({ ...test.queues, listUnfinished, countJobs: () => Promise.resolve(many) });
    expect((await openDispatcher(test.gateway, full).dispatch()).published).toBe(0);
  });

  it('while a thousand jobs of an organization are delayed, the dispatcher publishes no further job of this organization', async () => {
    await uploadText(tenant.api, datastore);
    const other = await test.createTenant();
    await uploadText(other.api, await createDatastore(other.api));
    const delayed = { payload: { organizationId: tenant.organizationId } };
    const listUnfinished: typeof test.queues.listUnfinished = () =>
      Promise.resolve(Array.from({ length: 1_000 }, () => delayed) as never);
    const countJobs = () => Promise.resolve({ waiting: 0, active: 0, delayed: 1_000, completed: 0, failed: 0 });
    const queues = listDispatchedQueues({ ...test.queues, listUnfinished, countJobs });
    expect(await openDispatcher(test.gateway, queues).dispatch()).toEqual({ published: 1, isFull: true });
    const rows = await test.gateway.db.select().from(outbox);
    expect(rows.map(({ organizationId }) => organizationId)).toEqual([tenant.organizationId]);
  });

  it('while jobs of up to 90 organizations are delayed, the queue has room for jobs of further organizations', () => {
    const dispatches = fc.array(fc.tuple(fc.integer({ min: 0, max: 89 }), fc.integer({ min: 1, max: 40 })), {
      minLength: 200,
      maxLength: 400,
    });
    fc.assert(
      fc.property(dispatches, (published) => {
        const delayed = new Map<number, number>();
        const sum = (): number => [...delayed.values()].reduce((total, each) => total + each, 0);
        for (const [organization, jobs] of [...published, ...published]) {
          const own = delayed.get(organization) ?? 0;
          delayed.set(organization, own + Math.max(0, Math.min(jobs, getMaxUnfinishedJobs(sum()) - own)));
        }
        expect(sum()).toBeGreaterThan(1_000);
        expect(getMaxUnfinishedJobs(sum())).toBeGreaterThan(0);
        expect(new QueueWindow().getFreePlaces({ waiting: 0, active: 0, delayed: sum() }, 4, 0)).toBeGreaterThan(0);
      }),
    );
  });

  it('measureWaitingJobs counts the waiting jobs, and the organizations with waiting jobs, of each queue and class', async () => {
    await uploadText(tenant.api, datastore, 'x', 'a.txt');
    await uploadText(tenant.api, datastore, 'x', 'b.txt');
    await createSite(tenant.api, datastore);
    const other = await test.createTenant();
    await uploadText(other.api, await createDatastore(other.api));
    const measured = await measureWaitingJobs(test.gateway.db, ['ingestion', 'crawl']);
    expect(
      measured.map(({ queue, class: jobClass, jobs, organizations }) => [queue, jobClass, jobs, organizations]),
    ).toEqual(
      expect.arrayContaining([
        ['ingestion', 'interactive', 3, 2],
        ['crawl', 'sync', 1, 1],
      ]),
    );
    expect(measured).toHaveLength(6);
  });

  it('the dispatcher publishes no job of a queue that another gateway has locked', async () => {
    await uploadText(tenant.api, datastore);
    const lockedUntil = new Date(Date.now() + 60_000);
    await test.gateway.db.insert(dispatchLocks).values({ queue: ingestionQueue.name, lockedUntil });
    expect(await dispatchOnce()).toBe(0);
    await test.gateway.db.delete(dispatchLocks);
    expect(await dispatchOnce()).toBe(1);
  });

  it('cancelling a run or removing its datasource deletes the waiting job of the run from the outbox', async () => {
    const ids = [];
    for (const name of ['a', 'b']) ids.push(await uploadText(tenant.api, datastore, 'x', `${name}.txt`));
    expect(await countWaitingJobs()).toBe(2);
    await tenant.api.post(`/api/datasources/${ids[0] ?? ''}/cancel`);
    await tenant.api.delete(`/api/datasources/${ids[1] ?? ''}`);
    const rows = await test.gateway.db.select().from(outbox);
    expect(rows.map(({ name }) => name)).toEqual(['remove-datasource']);
  });

  it('superseding a run deletes the waiting job of that run from the outbox', async () => {
    const site = await createSite(tenant.api, datastore);
    const file = await uploadText(tenant.api, datastore, 'old', 'a.txt');
    for (const id of [site, file]) await tenant.api.post(`/api/datasources/${id}/sync`);
    await uploadText(tenant.api, datastore, 'new', 'a.txt');
    const rows = await test.gateway.db.select().from(outbox);
    const current = await test.gateway.db
      .select()
      .from(datasources)
      .where(inArray(datasources.id, [site, file]));
    const runIds = rows.map(({ payload }) => Reflect.get(payload, 'runId') as unknown);
    expect(runIds.toSorted()).toEqual(current.map(({ runId }) => runId).toSorted());
  });
});

async function setJobWeight(organizationId: string, jobWeight: number): Promise<void> {
  await test.gateway.db.update(organizations).set({ jobWeight }).where(eq(organizations.id, organizationId));
}

async function setConcurrentJobs(concurrentJobs: number | null): Promise<void> {
  await test.gateway.db
    .update(organizations)
    .set({ concurrentJobs })
    .where(eq(organizations.id, tenant.organizationId));
}

/** Publishes all jobs. @returns the organizations of the jobs, in order */
async function publishAndListOrganizations(): Promise<readonly string[]> {
  const owners: string[] = [];
  const recordOwners: Publish = async (rows) => {
    owners.push(...rows.map(({ organizationId }) => organizationId));
    return Promise.resolve();
  };
  while ((await dispatchOnce(recordOwners)) > 0);
  return owners;
}

describe('the running dispatcher', () => {
  beforeEach(drainIngestion);

  it('the dispatcher publishes a job as soon as the gateway has written the job to the outbox', async () => {
    const dispatcher = startDispatcher(test.gateway);
    await uploadText(tenant.api, datastore);
    await expectEventually(listOwnJobs).toHaveLength(1);
    await dispatcher.close();
  });

  it('the dispatcher publishes jobs that were written before the dispatcher started or by another gateway', async () => {
    await uploadText(tenant.api, datastore, 'x', 'a.txt');
    const elsewhere = { ...test.gateway, outboxWritten: createWakeSignal() };
    const dispatcher = startDispatcher(elsewhere);
    await expectEventually(listOwnJobs).toHaveLength(1);
    await uploadText(tenant.api, datastore, 'x', 'b.txt');
    await expectEventually(listOwnJobs).toHaveLength(2);
    await dispatcher.close();
  });

  it('the dispatcher continues after an outage of a queue, and logs the outage once', async () => {
    let isUnavailable = true;
    const queues: Pick<typeof test.queues, 'createProducer'> = {
      createProducer: (contract) => {
        const producer = test.queues.createProducer(contract);
        return {
          ...producer,
          addAll: async (jobs) => (isUnavailable ? Promise.reject(new Error('ECONNREFUSED')) : producer.addAll(jobs)),
        };
      },
    };
    const logged = test.logged.length;
    await uploadText(tenant.api, datastore);
    const dispatcher = startDispatcher({ ...test.gateway, queues: { ...test.queues, ...queues } });
    const listWarnings = () => test.logged.slice(logged).filter((line) => line.includes('cannot be published'));
    await expectEventually(listWarnings).toHaveLength(1);
    test.gateway.outboxWritten.wake();
    expect(listOwnJobs()).toEqual([]);
    isUnavailable = false;
    test.gateway.outboxWritten.wake();
    await expectEventually(listOwnJobs).toHaveLength(1);
    await expectEventually(countWaitingJobs).toBe(0);
    expect(listWarnings()).toHaveLength(1);
    await dispatcher.close();
  });
});
