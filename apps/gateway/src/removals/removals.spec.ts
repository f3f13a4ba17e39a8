import { randomUUID } from 'node:crypto';
import { datasourceStatusQueue, type ExcludedContent } from '@quarry/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { removals } from '../database/tables/removals.js';
import { MAX_EXCLUDED_DOCUMENTS } from '../searching/search-target.js';
import { publishAndListIngestionJobs } from '../testing/jobs.js';
import { createAgent, createDatastore, uploadText } from '../testing/create-resources.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { runWatchdog } from '../watchdog/watchdog.js';
import { measureUnconfirmedRemovals, type NewRemoval, writeRemovals } from './removals.js';

const MINUTE_MS = 60_000;

let now = new Date();
let test: TestGateway;
let tenant: Tenant;
let datastore: string;

beforeAll(async () => {
  test = await startTestGateway({ clock: () => now });
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  await test.gateway.db.delete(removals);
  now = new Date();
  tenant = await test.createTenant();
  datastore = await createDatastore(tenant.api);
});

/**
 * Searches the datastore, and asks an agent that uses the datastore.
 *
 * @returns the content that both requests to the query service exclude
 */
async function getExclusions(): Promise<ExcludedContent | undefined> {
  await tenant.api.post(`/api/datastores/${datastore}/query`).send({ query: 'q' });
  const agent = await createAgent(tenant.api, { datastoreIds: [datastore] });
  await tenant.api.post(`/api/agents/${agent}/query`).send({ query: 'q' });
  const found = test.query.searches.at(-1)?.excluded;
  expect(test.query.questions.at(-1)?.excluded).toEqual(found);
  return found;
}

const listRemovalJobs = async () =>
  (await publishAndListIngestionJobs(test, tenant.organizationId)).flatMap(({ name, id, payload }) =>
    name.startsWith('remove-')
      ? [{ id, payload, removalId: 'removalId' in payload ? (payload.removalId ?? '') : '' }]
      : [],
  );

async function publishConfirmation(removalId: string): Promise<void> {
  const consumer = startConsumers(test.gateway);
  await test.queues.createProducer(datasourceStatusQueue).add('removal-done', { removalId, attempt: 1 });
  await test.queues.runAllJobs();
  await consumer.close(0);
}

const advanceClock = (minutes: number): void => {
  now = new Date(now.getTime() + minutes * MINUTE_MS);
};

function buildDocumentRemoval(documentKey: string, generation: number): NewRemoval {
  const ids = { organizationId: tenant.organizationId, datastoreId: datastore, datasourceId: DATASOURCE };
  return { kind: 'document', payload: { ...ids, runId: randomUUID(), documentKey, generation } };
}

const DATASOURCE = randomUUID();

const writeRemovalsInTransaction = (written: readonly NewRemoval[]): Promise<void> =>
  test.gateway.db.transaction(async (tx) => writeRemovals(tx, tenant.organizationId, written, now));

describe('the removal of content', () => {
  it('searches and answers exclude a deleted datasource until the worker confirms the removal of its content', async () => {
    const id = await uploadText(tenant.api, datastore);
    expect(await getExclusions()).toBeUndefined();
    expect((await tenant.api.delete(`/api/datasources/${id}`)).status).toBe(204);
    expect(await getExclusions()).toEqual({ datasourceIds: [id], documents: [] });
    const [job] = await listRemovalJobs();
    expect(job?.payload).toMatchObject({ datasourceId: id, attempt: 1 });
    await publishConfirmation(job?.removalId ?? '');
    expect(await getExclusions()).toBeUndefined();
  });

  it('searches of a datastore exclude a removed document up to the generation of its removal, and searches of other datastores do not', async () => {
    await writeRemovalsInTransaction([buildDocumentRemoval('a', 5), buildDocumentRemoval('b', 6)]);
    const shared = { datastoreId: datastore, datasourceId: DATASOURCE };
    expect(await getExclusions()).toEqual({
      datasourceIds: [],
      documents: [
        { ...shared, documentKey: 'b', upTo: 6 },
        { ...shared, documentKey: 'a', upTo: 5 },
      ],
    });
    datastore = await createDatastore(tenant.api);
    expect(await getExclusions()).toBeUndefined();
  });

  it('if more documents were removed than a search can exclude, it excludes the most recently removed ones and all removed datasources', async () => {
    const many = Array.from({ length: MAX_EXCLUDED_DOCUMENTS }, (_, at) => buildDocumentRemoval(`old${String(at)}`, 1));
    await writeRemovalsInTransaction(many);
    advanceClock(1);
    await writeRemovalsInTransaction([buildDocumentRemoval('new', 2)]);
    const datasourceIds = Array.from({ length: 1_200 }, () => randomUUID());
    const ids = { organizationId: tenant.organizationId, datastoreId: datastore };
    await writeRemovalsInTransaction(
      datasourceIds.map((datasourceId) => ({ kind: 'datasource', payload: { ...ids, datasourceId } })),
    );
    const found = await getExclusions();
    expect(found?.documents).toHaveLength(MAX_EXCLUDED_DOCUMENTS);
    expect(found?.documents[0]?.documentKey).toBe('new');
    expect([...(found?.datasourceIds ?? [])].sort()).toEqual(datasourceIds.sort());
  });

  it('until a worker confirms a removal, the watchdog enqueues its job again and again, at intervals that grow from 10 to 320 minutes', async () => {
    await writeRemovalsInTransaction([buildDocumentRemoval('lost', 3)]);
    expect(await listRemovalJobs()).toHaveLength(1);
    advanceClock(9);
    await runWatchdog(test.gateway);
    expect(await listRemovalJobs()).toHaveLength(1);
    for (const [at, minutes] of [1, 20, 40, 80, 160, 320, 320].entries()) {
      advanceClock(minutes);
      await runWatchdog(test.gateway);
      await runWatchdog(test.gateway);
      const jobs = await listRemovalJobs();
      expect(new Set(jobs.map(({ id }) => id)).size).toBe(at + 2);
      expect(jobs.at(-1)?.payload).toMatchObject({ documentKey: 'lost', generation: 3, attempt: at + 2 });
    }
    const [job] = await listRemovalJobs();
    await publishConfirmation(job?.removalId ?? '');
    await publishConfirmation(job?.removalId ?? '');
    advanceClock(1_000);
    await runWatchdog(test.gateway);
    expect(await listRemovalJobs()).toHaveLength(8);
  });

  it('measureUnconfirmedRemovals returns the number of unconfirmed removals and the time at which the oldest of them was written', async () => {
    expect(await measureUnconfirmedRemovals(test.gateway.db)).toEqual({ waiting: 0, oldestAt: undefined });
    const oldestAt = now;
    await writeRemovalsInTransaction([buildDocumentRemoval('first', 1)]);
    advanceClock(5);
    await writeRemovalsInTransaction([buildDocumentRemoval('second', 1)]);
    expect(await measureUnconfirmedRemovals(test.gateway.db)).toEqual({ waiting: 2, oldestAt });
  });

  it('after a datastore was deleted, queries of the datastore return 404, and one removal is unconfirmed', async () => {
    expect((await tenant.api.delete(`/api/datastores/${datastore}`)).status).toBe(204);
    expect((await tenant.api.post(`/api/datastores/${datastore}/query`).send({ query: 'q' })).status).toBe(404);
    expect(await measureUnconfirmedRemovals(test.gateway.db)).toMatchObject({ waiting: 1 });
  });
});
