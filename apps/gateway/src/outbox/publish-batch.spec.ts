import { ingestionQueue } from '@quarry/contracts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.js';
import { outbox } from '../database/tables/outbox.js';
import { makeDatastore, makeSite, uploadText } from '../testing/make.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { createSignal, writeOutbox } from './outbox.js';
import { openPublishers, type Publish, publishBatch, type Relaying } from './publish-batch.js';
import { startRelay } from './relay.js';
let test: TestGateway;
let tenant: Tenant;
let datastore: string;

beforeAll(async () => {
  test = await startTestGateway();
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  await test.gateway.db.delete(outbox);
  tenant = await test.tenant();
  datastore = await makeDatastore(tenant.api);
});

function createRelaying(publishers = openPublishers(test.queues)): Relaying {
  return { db: test.gateway.db, log: test.gateway.log, publishers };
}

const countWaitingJobs = async (): Promise<number> => test.gateway.db.$count(outbox);

function listOwnJobs(): readonly string[] {
  const own = test.queues
    .added(ingestionQueue)
    .filter(({ payload }) => payload.organizationId === tenant.organizationId);
  return own.map(({ id }) => id);
}

describe('the outbox', () => {
  it('the outbox contains a job from the creation of its datasource until the job is published', async () => {
    await uploadText(tenant.api, datastore);
    expect(await countWaitingJobs()).toBe(1);
    expect(listOwnJobs()).toEqual([]);
    expect(await publishBatch(createRelaying())).toBe(1);
    expect(listOwnJobs()).toHaveLength(1);
    expect(await countWaitingJobs()).toBe(0);
    expect(await publishBatch(createRelaying())).toBe(0);
  });

  it('publishes a job again that a crashed gateway had not deleted, and the queue ignores the duplicate', async () => {
    await uploadText(tenant.api, datastore);
    const real = openPublishers(test.queues).get(ingestionQueue.name);
    const crashing: Publish = async (rows) => {
      await real?.(rows);
      throw new Error('the process crashed');
    };
    await expect(publishBatch(createRelaying(new Map([[ingestionQueue.name, crashing]])))).rejects.toThrow(
      'the process crashed',
    );
    expect(listOwnJobs()).toHaveLength(1);
    expect(await countWaitingJobs()).toBe(1);
    await publishBatch(createRelaying());
    expect(listOwnJobs()).toHaveLength(1);
    expect(await countWaitingJobs()).toBe(0);
  });

  it('publishes jobs in order, and a second relay publishes none of the jobs that the first has claimed', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `file ${String(index).padStart(2, '0')}.txt`);
    for (const name of names) await uploadText(tenant.api, datastore, 'x', name);
    const seen: string[] = [];
    const begun = Promise.withResolvers<undefined>();
    const release = Promise.withResolvers<undefined>();
    const slow: Publish = async (rows) => {
      seen.push(...rows.map(({ payload }) => String(Reflect.get(payload, 'name'))));
      begun.resolve(undefined);
      await release.promise;
    };
    const publishers = new Map([[ingestionQueue.name, slow]]);
    const first = publishBatch(createRelaying(publishers));
    await begun.promise;
    expect(await publishBatch(createRelaying(publishers))).toBe(0);
    release.resolve(undefined);
    await first;
    expect(seen).toEqual(names);
    expect(await countWaitingJobs()).toBe(0);
  });

  it('holds no row lock while a queue does not respond', async () => {
    await uploadText(tenant.api, datastore);
    const begun = Promise.withResolvers<undefined>();
    const answer = Promise.withResolvers<undefined>();
    const silent: Publish = async () => {
      begun.resolve(undefined);
      await answer.promise;
    };
    const publishing = publishBatch(createRelaying(new Map([[ingestionQueue.name, silent]])));
    await begun.promise;
    const free = await test.gateway.db.select().from(outbox).for('update', { noWait: true });
    expect(free).toHaveLength(1);
    answer.resolve(undefined);
    expect(await publishing).toBe(1);
    expect(await countWaitingJobs()).toBe(0);
  });

  it('another relay publishes the jobs of a crashed relay after its claim has expired', async () => {
    await uploadText(tenant.api, datastore);
    const real = openPublishers(test.queues).get(ingestionQueue.name);
    const published = Promise.withResolvers<undefined>();
    const crashing: Publish = async (rows) => {
      await real?.(rows);
      published.resolve(undefined);
      await new Promise<never>(() => undefined);
    };
    void publishBatch(createRelaying(new Map([[ingestionQueue.name, crashing]])));
    await published.promise;
    expect(await publishBatch(createRelaying())).toBe(0);
    const [claimed] = await test.gateway.db.select().from(outbox);
    expect(claimed?.claimedUntil?.getTime()).toBeGreaterThan(Date.now());
    await test.gateway.db.update(outbox).set({ claimedUntil: sql`now() - interval '1 second'` });
    expect(await publishBatch(createRelaying())).toBe(1);
    expect(listOwnJobs()).toHaveLength(1);
    expect(await countWaitingJobs()).toBe(0);
  });

  it('deletes the jobs that one queue accepted, and keeps the jobs of an unavailable queue in order', async () => {
    await makeSite(tenant.api, datastore);
    const names = ['a.txt', 'b.txt'];
    for (const name of names) await uploadText(tenant.api, datastore, 'x', name);
    const seen: string[] = [];
    let isAvailable = false;
    const publishers = new Map<string, Publish>([
      ...openPublishers(test.queues),
      [
        ingestionQueue.name,
        async (rows) => {
          if (!isAvailable) throw new Error('ECONNREFUSED');
          seen.push(...rows.map(({ payload }) => String(Reflect.get(payload, 'name'))));
        },
      ],
    ]);
    await expect(publishBatch(createRelaying(publishers))).rejects.toThrow('ECONNREFUSED');
    expect(await countWaitingJobs()).toBe(names.length);
    isAvailable = true;
    expect(await publishBatch(createRelaying(publishers))).toBe(names.length);
    expect(seen).toEqual(names);
  });

  it('keeps and logs a job that its queue refuses, and publishes all other jobs', async () => {
    const { organizationId } = tenant;
    await writeOutbox(test.gateway.db, organizationId, [
      { queue: 'ingestion', name: 'index-document', payload: { organizationId } },
      { queue: 'no-such-queue', name: 'x', payload: {} },
    ]);
    await uploadText(tenant.api, datastore);
    expect(await publishBatch(createRelaying())).toBe(3);
    expect(listOwnJobs()).toHaveLength(1);
    const refused = await test.gateway.db.select().from(outbox).orderBy(outbox.id);
    expect(refused.map(({ refusal }) => refusal)).toEqual([
      expect.stringContaining('datastoreId'),
      'there is no queue no-such-queue',
    ]);
    expect(test.logged.join('')).toContain('a job was refused by its queue');
    expect(await publishBatch(createRelaying())).toBe(0);
  });

  it('removes fields of jobs that this gateway version does not know', async () => {
    const { organizationId } = tenant;
    const removal = { organizationId, datastoreId: datastore };
    const payload = { ...removal, underWay: ['a'] };
    await writeOutbox(test.gateway.db, organizationId, [{ queue: 'ingestion', name: 'remove-datastore', payload }]);
    await uploadText(tenant.api, datastore);
    expect(await publishBatch(createRelaying())).toBe(2);
    expect(await countWaitingJobs()).toBe(0);
    expect(test.queues.added(ingestionQueue).map((job) => job.payload)).toContainEqual(removal);
  });

  it('writes more jobs than one SQL statement can have parameters', async () => {
    const job = { queue: 'ingestion', name: 'remove-datastore', payload: {} };
    await writeOutbox(
      test.gateway.db,
      tenant.organizationId,
      Array.from({ length: 20_000 }, () => job),
    );
    expect(await countWaitingJobs()).toBe(20_000);
    await writeOutbox(test.gateway.db, tenant.organizationId, []);
  });
});

describe('the relay', () => {
  it('the relay publishes a job as soon as it is written', async () => {
    const relay = startRelay(test.gateway);
    await uploadText(tenant.api, datastore);
    await eventually(listOwnJobs).toHaveLength(1);
    await relay.close();
  });

  it('the relay publishes jobs that were written before its start or by another gateway', async () => {
    await uploadText(tenant.api, datastore, 'x', 'a.txt');
    const elsewhere = { ...test.gateway, outboxWritten: createSignal() };
    const relay = startRelay(elsewhere);
    await eventually(listOwnJobs).toHaveLength(1);
    await uploadText(tenant.api, datastore, 'x', 'b.txt');
    await eventually(listOwnJobs).toHaveLength(2);
    await relay.close();
  });

  it('the relay continues after an outage of a queue, and logs the outage once', async () => {
    let isUnavailable = true;
    const queues: Pick<typeof test.queues, 'producer'> = {
      producer: (contract) => {
        const producer = test.queues.producer(contract);
        return {
          ...producer,
          addAll: async (jobs) => (isUnavailable ? Promise.reject(new Error('ECONNREFUSED')) : producer.addAll(jobs)),
        };
      },
    };
    const logged = test.logged.length;
    await uploadText(tenant.api, datastore);
    const relay = startRelay({ ...test.gateway, queues: { ...test.queues, ...queues } });
    const listWarnings = () => test.logged.slice(logged).filter((line) => line.includes('cannot be published'));
    await eventually(listWarnings).toHaveLength(1);
    test.gateway.outboxWritten.wake();
    expect(listOwnJobs()).toEqual([]);
    isUnavailable = false;
    test.gateway.outboxWritten.wake();
    await eventually(listOwnJobs).toHaveLength(1);
    await eventually(countWaitingJobs).toBe(0);
    expect(listWarnings()).toHaveLength(1);
    await relay.close();
  });
});
