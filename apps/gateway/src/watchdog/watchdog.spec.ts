import { Readable } from 'node:stream';
import { datasourceStatusQueue, ingestionQueue, type DatasourceResponse } from '@quarry/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { outbox } from '../database/tables/outbox.js';
import { blobsOf } from '../testing/blobs.js';
import { jobsOf } from '../testing/jobs.js';
import { makeDatastore, uploadText } from '../testing/make.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { reserveBlobs } from '../uploads/discarded-blobs.js';
import { look } from './watchdog.js';

const MINUTE_MS = 60_000;

let now = new Date();
let test: TestGateway;
let tenant: Tenant;
let id: string;

beforeAll(async () => {
  test = await startTestGateway({ clock: () => now });
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  await test.gateway.db.delete(outbox);
  now = new Date();
  tenant = await test.tenant();
  id = await uploadText(tenant.api, await makeDatastore(tenant.api));
});

async function shown(): Promise<DatasourceResponse> {
  return (await tenant.api.get(`/api/datasources/${id}`)).body as DatasourceResponse;
}

const later = (minutes: number): void => {
  now = new Date(now.getTime() + minutes * MINUTE_MS);
};

/** As if the queue had lost its jobs. */
const publishNowhere = async (): Promise<void> => {
  await test.gateway.db.delete(outbox);
};

describe('the watchdog', () => {
  it('settles a run whose job is gone, once nothing was heard of it for long enough', async () => {
    await publishNowhere();
    later(14);
    await look(test.gateway);
    expect((await shown()).status).toBe('pending');
    later(2);
    await look(test.gateway);
    expect(await shown()).toMatchObject({
      status: 'error',
      error: { code: 'run_lost' },
      run: { endedAt: now.toISOString() },
    });
    expect((await shown()).error?.message).toMatch(/no longer in the queue\. Sync the datasource again/);
    const after = await shown();
    later(20);
    await look(test.gateway);
    expect(await shown()).toEqual(after);
  });

  it('leaves a run alone whose job still waits, however long', async () => {
    await jobsOf(test, tenant.organizationId);
    later(600);
    await look(test.gateway);
    expect((await shown()).status).toBe('pending');
  });

  it('settles a run whose job has ended without a word', async () => {
    await jobsOf(test, tenant.organizationId);
    const nothing = async (): Promise<void> => Promise.resolve();
    const handlers = {
      'index-document': nothing,
      'remove-document': nothing,
      'remove-datasource': nothing,
      'remove-datastore': nothing,
    };
    const consumer = test.queues.consumer(ingestionQueue, handlers, { concurrency: 1 });
    await test.queues.drain();
    await consumer.close(0);
    later(16);
    await look(test.gateway);
    expect((await shown()).error?.message).toMatch(/ended without saying so/);
  });

  it('waits while the outbox cannot be published: the job may be in it', async () => {
    later(16);
    await look(test.gateway);
    expect((await shown()).status).toBe('pending');
    expect(await test.gateway.db.$count(outbox)).toBe(1);
  });

  it('waits while events wait to be heard', async () => {
    await publishNowhere();
    const { run } = await shown();
    const event = {
      datasourceId: id,
      runId: run?.id ?? '',
      sequence: 1,
      at: now.toISOString(),
      status: 'running',
    } as const;
    await test.queues.producer(datasourceStatusQueue).add('status-changed', event);
    later(16);
    await look(test.gateway);
    expect((await shown()).status).toBe('pending');
    const consumer = startConsumers(test.gateway);
    await test.queues.drain();
    await consumer.close(0);
    expect((await shown()).status).toBe('running');
  });

  it('removes the bytes of uploads that never ended, and of datasources that are gone', async () => {
    const { organizationId } = tenant;
    const own = () => blobsOf(test, organizationId);
    const abandoned = `${organizationId}/unassigned/x/y`;
    await reserveBlobs(test.gateway.db, organizationId, [abandoned], now);
    await test.blobs.write(abandoned, Readable.from(['x']));
    await tenant.api.delete(`/api/datasources/${id}`);
    await look(test.gateway);
    expect(own()).toEqual([abandoned]);
    later(24 * 60);
    await look(test.gateway);
    expect(own()).toEqual([]);
  });

  it('looks in one gateway at a time', async () => {
    await publishNowhere();
    later(16);
    await Promise.all([look(test.gateway), look(test.gateway), look(test.gateway)]);
    expect((await shown()).status).toBe('error');
    expect(test.logged.filter((line) => line.includes('a run was lost') && line.includes(id))).toHaveLength(1);
  });
});
