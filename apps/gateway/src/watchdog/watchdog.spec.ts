import { Readable } from 'node:stream';
import {
  normalizeUrl,
  catalogQueue,
  crawlQueue,
  datasourceStatusQueue,
  ingestionQueue,
  type DatasourceResponse,
} from '@quarry/contracts';
import { computeEventNumbers } from '@quarry/run-reporting';
import { eq, ne, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startConsumers } from '../consumers.js';
import { newId } from '../database/id.js';
import { datasources } from '../database/tables/datasources.js';
import { outbox } from '../database/tables/outbox.js';
import { runs } from '../database/tables/runs.js';
import type { Gateway } from '../gateway.js';
import { recordRunEnumeration } from '../runs/update/record-outcomes.js';
import { createDatabaseRunGateway, openRunGateway } from '../runs/record/open-run-gateway.js';
import { listBlobs } from '../testing/blobs.js';
import { publishOutboxJobs } from '../testing/jobs.js';
import { createDatastore, createSite, getStringField, uploadText } from '../testing/create-resources.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { reserveBlobs } from '../blobs/discarded-blobs.js';
import { createLostWorkExaminer } from './repeat-lost-work.js';
import { runWatchdog, startWatchdog } from './watchdog.js';

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
  tenant = await test.createTenant();
  id = await uploadText(tenant.api, await createDatastore(tenant.api));
});

async function getDatasource(): Promise<DatasourceResponse> {
  return (await tenant.api.get(`/api/datasources/${id}`)).body as DatasourceResponse;
}

const advanceClock = (minutes: number): void => {
  now = new Date(now.getTime() + minutes * MINUTE_MS);
};

/** Deletes all jobs from the outbox, as if their queue had lost them. */
const deleteOutboxJobs = async (): Promise<void> => {
  await test.gateway.db.delete(outbox);
};

async function getRunId(): Promise<string> {
  return (await getDatasource()).run?.id ?? '';
}

/** Publishes all jobs of the outbox. @returns all jobs of the test's datasource that were added to a queue so far */
async function listJobs() {
  await publishOutboxJobs(test);
  const { queues } = test;
  return [
    ...queues.listAddedJobs(ingestionQueue),
    ...queues.listAddedJobs(crawlQueue),
    ...queues.listAddedJobs(catalogQueue),
  ].filter(({ payload }) => 'datasourceId' in payload && payload.datasourceId === id);
}

/** Runs all ingestion jobs with a handler that sends no status event. */
async function runJobsWithoutEvents(): Promise<void> {
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

/**
 * Enqueues a status event of the latest run of the datasource. The gateway records the event only when the test calls
 * `recordReports`.
 */
async function enqueueReport(sequence: number, status: 'running' | 'synched'): Promise<void> {
  const event = { datasourceId: id, runId: await getRunId(), at: now.toISOString(), sequence, status };
  await test.queues.createProducer(datasourceStatusQueue).add('status-changed', event);
}

async function recordReports(): Promise<void> {
  const consumer = startConsumers(test.gateway);
  await test.queues.runAllJobs();
  await consumer.close(0);
}

describe('work whose job is lost', () => {
  const site = { type: 'web_site', name: 'Site', config: { source_url: 'https://example.com/' } };
  const page = { type: 'web_page', name: 'Page', config: { source_url: 'https://example.com/a' } };
  const listing = { type: 'item_listing', name: 'Shop', config: { url: 'https://shop.example.com/items' } };

  it.each([['index-document'], ['crawl-site', site], ['crawl-page', page], ['sync-catalog', listing]])(
    'the watchdog enqueues a lost %s job again within two minutes, for the same datasource and run',
    async (name, made?: object) => {
      const datastoreId = await createDatastore(tenant.api);
      if (made !== undefined)
        id = getStringField(await tenant.api.post('/api/datasources').send({ ...made, datastoreId }), 'id');
      await deleteOutboxJobs();
      advanceClock(2);
      await runWatchdog(test.gateway);
      const [job, ...others] = await listJobs();
      expect(others).toEqual([]);
      expect(job).toMatchObject({ name, payload: { datasourceId: id, runId: await getRunId(), repeat: 1 } });
      expect((await getDatasource()).status).toBe('pending');
    },
  );

  it('the watchdog enqueues a lost job again, even if a job of another run waits in the outbox and a status event waits in its queue', async () => {
    await deleteOutboxJobs();
    const lost = id;
    advanceClock(2);
    // The job of another datasource waits in the outbox because its queue is unavailable.
    await uploadText(tenant.api, await createDatastore(tenant.api));
    await test.gateway.db.update(outbox).set({ createdAt: new Date(0) });
    const other = {
      datasourceId: newId(),
      runId: newId(),
      sequence: 1,
      at: now.toISOString(),
      status: 'running',
    } as const;
    await test.queues.createProducer(datasourceStatusQueue).add('status-changed', other);
    await runWatchdog(test.gateway);
    id = lost;
    expect(await listJobs()).toHaveLength(1);
    await recordReports();
  });

  it('the watchdog finds a lost job even if it must first examine 60 runs with waiting jobs', async () => {
    await deleteOutboxJobs();
    const lost = { id, since: new Date(now.getTime() + 1) };
    await test.gateway.db.update(runs).set({ lastEventAt: lost.since }).where(eq(runs.datasourceId, id));
    const waiting = Array.from({ length: 60 }, (_, at) => ({ id: `d${at}`, name: `d${at}`, text: 'text' }));
    const datastoreId = await createDatastore(tenant.api);
    expect((await tenant.api.post(`/api/datastores/upsert/${datastoreId}`).send({ documents: waiting })).status).toBe(
      200,
    );
    await publishOutboxJobs(test);
    const early = new Date(now.getTime() - 60 * MINUTE_MS);
    await test.gateway.db.update(runs).set({ lastEventAt: early }).where(ne(runs.datasourceId, id));
    advanceClock(2);
    const lostWorkExaminer = createLostWorkExaminer(test.gateway, 20, 10);
    for (let examinations = 0; examinations < 7; examinations += 1) await lostWorkExaminer.examineNextJobs();
    expect(await listJobs()).toHaveLength(1);
  });

  it('if the worker of a lost job still reports events, the gateway accepts all events of the repeated job', async () => {
    const survivor = computeEventNumbers({ starts: 7, phase: 'whole' });
    await enqueueReport(survivor.first, 'running');
    await recordReports();
    await deleteOutboxJobs();
    advanceClock(2);
    await runWatchdog(test.gateway);
    const [job] = await listJobs();
    const { repeat } = job?.payload as { readonly repeat?: number }; // a repeated job has this field
    const repeated = computeEventNumbers({ starts: 1, repeat, phase: 'whole' });
    for (const sequence of [survivor.first + 1, repeated.first, survivor.last - 1])
      await enqueueReport(sequence, 'running');
    await enqueueReport(repeated.last, 'synched');
    await recordReports();
    expect((await getDatasource()).status).toBe('synched');
    const [run] = await test.gateway.db
      .select()
      .from(runs)
      .where(eq(runs.id, await getRunId()));
    expect(run?.sequence).toBe(repeated.last);
  });

  it('a run ends with the error `run_lost` if its job is lost four times', async () => {
    for (let loss = 0; loss < 4; loss += 1) {
      expect((await getDatasource()).status).toBe('pending');
      await deleteOutboxJobs();
      advanceClock(2);
      await runWatchdog(test.gateway);
    }
    expect(await getDatasource()).toMatchObject({ status: 'error', error: { code: 'run_lost' } });
    expect((await getDatasource()).error?.message).toMatch(/was repeated 3 times\. Sync the datasource again/);
    const after = await getDatasource();
    advanceClock(20);
    await runWatchdog(test.gateway);
    expect(await getDatasource()).toEqual(after);
  });

  it('if a job is lost and its datasource has no stored content for another job, the run ends with the error `run_lost`', async () => {
    await deleteOutboxJobs();
    await test.gateway.db.update(datasources).set({ blobKey: null }).where(eq(datasources.id, id));
    advanceClock(2);
    await runWatchdog(test.gateway);
    expect(await getDatasource()).toMatchObject({ status: 'error', error: { code: 'run_lost' } });
  });

  it('the watchdog never repeats a job that waits in its queue, however long it waits', async () => {
    await listJobs();
    advanceClock(600);
    await runWatchdog(test.gateway);
    expect(await listJobs()).toHaveLength(1);
    expect((await getDatasource()).status).toBe('pending');
  });

  it('after the crawl job of a web page has ended, the watchdog does not repeat it while the ingestion job of the page waits', async () => {
    const config = { source_url: 'https://Example.com?b=2&a=1#top' };
    const datastoreId = await createDatastore(tenant.api);
    const body = { type: 'web_page', name: 'Page', config, datastoreId };
    id = getStringField(await tenant.api.post('/api/datasources').send(body), 'id');
    const [crawl] = await listJobs();
    if (crawl?.name !== 'crawl-page') throw new Error('expected the job of the page, found none');
    const doNothing = async (): Promise<void> => Promise.resolve();
    const handlers = { 'crawl-page': doNothing, 'crawl-site': doNothing };
    const consumer = test.queues.startConsumer(crawlQueue, handlers, { concurrency: 1 });
    await test.queues.runAllJobs();
    await consumer.close(0);
    const { url, ...shared } = crawl.payload;
    const found = { documentKey: normalizeUrl(url), name: 'Page', blobKey: 'pages/1', mimeType: 'text/markdown' };
    const state = await createDatabaseRunGateway(test.gateway).enqueueDocument({ ...shared, ...found });
    expect(state).toBe('wanted');
    expect(await listJobs()).toMatchObject([{ name: 'index-document' }, { name: 'crawl-page' }]);
    for (const minutes of [600, 20, 20]) {
      advanceClock(minutes);
      await runWatchdog(test.gateway);
    }
    expect(await listJobs()).toHaveLength(2);
    expect((await getDatasource()).status).toBe('pending');
  });

  it('the watchdog does not repeat a job that waits in the outbox', async () => {
    advanceClock(16);
    await runWatchdog(test.gateway);
    expect(await test.gateway.db.$count(outbox)).toBe(1);
  });

  it('if a job ended without a final event, the watchdog enqueues it again with another job id', async () => {
    await listJobs();
    await runJobsWithoutEvents();
    advanceClock(2);
    await runWatchdog(test.gateway);
    advanceClock(14);
    await runWatchdog(test.gateway);
    expect(await listJobs()).toHaveLength(1);
    advanceClock(2);
    await runWatchdog(test.gateway);
    const repeated = await listJobs();
    expect(new Set(repeated.map((job) => job.id)).size).toBe(2);
  });

  it('the watchdog does not repeat a job whose final event is still waiting in the queue of status events', async () => {
    await listJobs();
    await runJobsWithoutEvents();
    advanceClock(2);
    await runWatchdog(test.gateway);
    await enqueueReport(19_999, 'synched');
    advanceClock(60);
    await runWatchdog(test.gateway);
    expect(await listJobs()).toHaveLength(1);
    await recordReports();
    expect((await getDatasource()).status).toBe('synched');
  });

  it('if the watchdogs of several gateways run at the same time, a lost job is enqueued again only once', async () => {
    await deleteOutboxJobs();
    advanceClock(16);
    await Promise.all([runWatchdog(test.gateway), runWatchdog(test.gateway), runWatchdog(test.gateway)]);
    expect(await listJobs()).toHaveLength(1);
  });
});

describe('documents of a run whose jobs are lost', () => {
  const buildDocument = (documentKey: string) => ({
    ...{ documentKey, name: documentKey, blobKey: `pages/${documentKey}`, mimeType: 'text/html', version: 'v1' },
  });
  beforeEach(async () => {
    id = await createSite(tenant.api, await createDatastore(tenant.api));
    const run = { datasourceId: id, runId: await getRunId(), at: now.toISOString() };
    await openRunGateway(test.gateway).recordDocuments({
      ...run,
      toIndex: ['a', 'b', 'c'].map(buildDocument),
      settled: [],
    });
    await recordRunEnumeration(test.gateway.db, { ...run, complete: true }, now);
  });

  it('if some document jobs of a run are lost, the watchdog enqueues exactly these jobs again', async () => {
    await test.gateway.db.delete(outbox).where(sql`payload ->> 'documentKey' in ('a', 'c')`);
    await listJobs();
    advanceClock(2);
    await runWatchdog(test.gateway);
    const keys = (await listJobs()).flatMap(({ payload }) => ('documentKey' in payload ? [payload.documentKey] : []));
    expect(keys.toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('if the jobs of all documents of a run are lost four times, the documents end with the error `run_lost`, and the run ends', async () => {
    for (let loss = 0; loss < 4; loss += 1) {
      await deleteOutboxJobs();
      advanceClock(2);
      await runWatchdog(test.gateway);
    }
    expect(await getDatasource()).toMatchObject({
      status: 'error',
      failureReasons: [{ code: 'run_lost', count: 3 }],
      run: { counters: { discovered: 3, failed: 3 } },
    });
  });
});

describe('the watchdog', () => {
  it('the watchdog removes the blobs of incomplete uploads and of deleted datasources', async () => {
    const { organizationId } = tenant;
    const listOwnBlobs = () => listBlobs(test, organizationId);
    const abandoned = `${organizationId}/unassigned/x/y`;
    await reserveBlobs(test.gateway.db, organizationId, [abandoned], now);
    await test.blobs.write(abandoned, Readable.from(['x']));
    await tenant.api.delete(`/api/datasources/${id}`);
    await runWatchdog(test.gateway);
    expect(listOwnBlobs()).toEqual([abandoned]);
    advanceClock(24 * 60);
    await runWatchdog(test.gateway);
    expect(listOwnBlobs()).toEqual([]);
  });

  it('if one discarded blob cannot be removed, the watchdog removes all others in the same run, and retries this blob in a later run', async () => {
    const { organizationId } = tenant;
    const keys = Array.from({ length: 250 }, (_, at) => `${organizationId}/${String(at).padStart(3, '0')}`);
    await reserveBlobs(test.gateway.db, organizationId, keys, new Date(now.getTime() - 48 * 60 * MINUTE_MS));
    const removed: string[] = [];
    const isBad = (key: string): boolean => key.endsWith('/000');
    const removeBlob = async (key: string): Promise<void> => {
      if (isBad(key)) throw new Error('the blob store fails');
      // The watchdog holds no row lock while it removes a blob, so another transaction can lock the row of the blob.
      await test.gateway.db.execute(sql`select 1 from quarry.discarded_blobs where key = ${key} for update nowait`);
      removed.push(key);
    };
    await runWatchdog({ ...test.gateway, blobs: { ...test.blobs, remove: removeBlob } });
    expect(removed.filter((key) => key.startsWith(organizationId))).toHaveLength(249);
    expect(test.logged.join()).toMatch(/failed to remove discarded blobs/);
    advanceClock(11);
    const again: string[] = [];
    await runWatchdog({ ...test.gateway, blobs: { ...test.blobs, remove: async (key) => void again.push(key) } });
    expect(again).toEqual(keys.filter(isBad));
  });

  it('the watchdog never runs concurrently with itself, and close() awaits a run in progress', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const looking = Promise.withResolvers<undefined>();
    let looks = 0;
    const waitForTransaction = async (): Promise<undefined> => {
      looks += 1;
      return looking.promise;
    };
    const db = Object.assign(Object.create(test.gateway.db) as Gateway['db'], { transaction: waitForTransaction });
    const watchdog = startWatchdog({ ...test.gateway, db });
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
    expect(looks).toBe(1);
    let isClosed = false;
    const closed = watchdog.close().then(() => (isClosed = true));
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(isClosed).toBe(false);
    looking.resolve(undefined);
    await closed;
  });
});
