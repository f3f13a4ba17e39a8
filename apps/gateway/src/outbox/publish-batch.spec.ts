import { ingestionQueue } from '@quarry/contracts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.js';
import { outbox } from '../database/tables/outbox.js';
import { makeDatastore, makeSite, uploadText } from '../testing/make.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { writeOutbox } from './outbox.js';
import { openPublishers, type Publish } from './publishers.js';
import { publishBatch, type Relaying } from './publish-batch.js';
import { startRelay } from './relay.js';
import { createSignal } from './signal.js';

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

function relaying(publishers = openPublishers(test.queues)): Relaying {
  return { db: test.gateway.db, log: test.gateway.log, publishers };
}

const waiting = async (): Promise<number> => test.gateway.db.$count(outbox);

function ownJobs(): readonly string[] {
  const own = test.queues
    .added(ingestionQueue)
    .filter(({ payload }) => payload.organizationId === tenant.organizationId);
  return own.map(({ id }) => id);
}

describe('the outbox', () => {
  it('contains a job from the creation of its datasource until the job is published', async () => {
    await uploadText(tenant.api, datastore);
    expect(await waiting()).toBe(1);
    expect(ownJobs()).toEqual([]);
    expect(await publishBatch(relaying())).toBe(1);
    expect(ownJobs()).toHaveLength(1);
    expect(await waiting()).toBe(0);
    expect(await publishBatch(relaying())).toBe(0);
  });

  it('publishes jobs again that a crashed gateway had published but not deleted, which changes nothing', async () => {
    await uploadText(tenant.api, datastore);
    const real = openPublishers(test.queues).get(ingestionQueue.name);
    const crashing: Publish = async (rows) => {
      await real?.(rows);
      throw new Error('the process crashed');
    };
    await expect(publishBatch(relaying(new Map([[ingestionQueue.name, crashing]])))).rejects.toThrow(
      'the process crashed',
    );
    expect(ownJobs()).toHaveLength(1);
    expect(await waiting()).toBe(1);
    await publishBatch(relaying());
    expect(ownJobs()).toHaveLength(1);
    expect(await waiting()).toBe(0);
  });

  it('keeps its order, and gives no job to a second relay while the first publishes it', async () => {
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
    const first = publishBatch(relaying(publishers));
    await begun.promise;
    expect(await publishBatch(relaying(publishers))).toBe(0);
    release.resolve(undefined);
    await first;
    expect(seen).toEqual(names);
    expect(await waiting()).toBe(0);
  });

  it('locks no row while a queue does not respond', async () => {
    await uploadText(tenant.api, datastore);
    const begun = Promise.withResolvers<undefined>();
    const answer = Promise.withResolvers<undefined>();
    const silent: Publish = async () => {
      begun.resolve(undefined);
      await answer.promise;
    };
    const publishing = publishBatch(relaying(new Map([[ingestionQueue.name, silent]])));
    await begun.promise;
    const free = await test.gateway.db.select().from(outbox).for('update', { noWait: true });
    expect(free).toHaveLength(1);
    answer.resolve(undefined);
    expect(await publishing).toBe(1);
    expect(await waiting()).toBe(0);
  });

  it('gives the jobs of a crashed relay to another relay when its claim has expired', async () => {
    await uploadText(tenant.api, datastore);
    const real = openPublishers(test.queues).get(ingestionQueue.name);
    const published = Promise.withResolvers<undefined>();
    const crashing: Publish = async (rows) => {
      await real?.(rows);
      published.resolve(undefined);
      await new Promise<never>(() => undefined);
    };
    void publishBatch(relaying(new Map([[ingestionQueue.name, crashing]])));
    await published.promise;
    expect(await publishBatch(relaying())).toBe(0);
    const [claimed] = await test.gateway.db.select().from(outbox);
    expect(claimed?.claimedUntil?.getTime()).toBeGreaterThan(Date.now());
    await test.gateway.db.update(outbox).set({ claimedUntil: sql`now() - interval '1 second'` });
    expect(await publishBatch(relaying())).toBe(1);
    expect(ownJobs()).toHaveLength(1);
    expect(await waiting()).toBe(0);
  });

  it('deletes the jobs that one queue accepted while another queue is unavailable, and keeps the rest in order', async () => {
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
    await expect(publishBatch(relaying(publishers))).rejects.toThrow('ECONNREFUSED');
    expect(await waiting()).toBe(names.length);
    isAvailable = true;
    expect(await publishBatch(relaying(publishers))).toBe(names.length);
    expect(seen).toEqual(names);
  });

  it('keeps and logs a job that its queue refuses, and publishes the rest', async () => {
    const { organizationId } = tenant;
    await writeOutbox(test.gateway.db, organizationId, [
      { queue: 'ingestion', name: 'index-document', payload: { organizationId } },
      { queue: 'no-such-queue', name: 'x', payload: {} },
    ]);
    await uploadText(tenant.api, datastore);
    expect(await publishBatch(relaying())).toBe(3);
    expect(ownJobs()).toHaveLength(1);
    const refused = await test.gateway.db.select().from(outbox).orderBy(outbox.id);
    expect(refused.map(({ refusal }) => refusal)).toEqual([
      expect.stringContaining('datastoreId'),
      'there is no queue no-such-queue',
    ]);
    expect(test.logged.join('')).toContain('a job was refused by its queue');
    expect(await publishBatch(relaying())).toBe(0);
  });

  it('publishes jobs of another gateway version without their unknown fields', async () => {
    const { organizationId } = tenant;
    const removal = { organizationId, datastoreId: datastore };
    const payload = { ...removal, underWay: ['a'] };
    await writeOutbox(test.gateway.db, organizationId, [{ queue: 'ingestion', name: 'remove-datastore', payload }]);
    await uploadText(tenant.api, datastore);
    expect(await publishBatch(relaying())).toBe(2);
    expect(await waiting()).toBe(0);
    expect(test.queues.added(ingestionQueue).map((job) => job.payload)).toContainEqual(removal);
  });

  it('writes more rows than one statement can have parameters', async () => {
    const job = { queue: 'ingestion', name: 'remove-datastore', payload: {} };
    await writeOutbox(
      test.gateway.db,
      tenant.organizationId,
      Array.from({ length: 20_000 }, () => job),
    );
    expect(await waiting()).toBe(20_000);
    await writeOutbox(test.gateway.db, tenant.organizationId, []);
  });
});

describe('the relay', () => {
  it('publishes as soon as something is written', async () => {
    const relay = startRelay(test.gateway);
    await uploadText(tenant.api, datastore);
    await eventually(ownJobs).toHaveLength(1);
    await relay.close();
  });

  it('publishes jobs from before its start, and jobs of another gateway', async () => {
    await uploadText(tenant.api, datastore, 'x', 'a.txt');
    const elsewhere = { ...test.gateway, outboxWritten: createSignal() };
    const relay = startRelay(elsewhere);
    await eventually(ownJobs).toHaveLength(1);
    await uploadText(tenant.api, datastore, 'x', 'b.txt');
    await eventually(ownJobs).toHaveLength(2);
    await relay.close();
  });

  it('continues after an outage of a queue, and logs the outage once', async () => {
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
    const warnings = () => test.logged.slice(logged).filter((line) => line.includes('cannot be published'));
    await eventually(warnings).toHaveLength(1);
    test.gateway.outboxWritten.wake();
    expect(ownJobs()).toEqual([]);
    isUnavailable = false;
    test.gateway.outboxWritten.wake();
    await eventually(ownJobs).toHaveLength(1);
    await eventually(waiting).toBe(0);
    expect(warnings()).toHaveLength(1);
    await relay.close();
  });
});
