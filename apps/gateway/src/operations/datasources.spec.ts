import { NO_COUNTERS, type StatusChanged } from '@quarry/contracts';
import { silentLog } from '@quarry/queue/testing';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../database/id.js';
import { runs } from '../database/tables/runs.js';
import { lockDatasource } from '../datasources/datasource-repository.js';
import { deleteOldRuns, MAX_STORED_RUNS } from '../runs/start/delete-old-runs.js';
import { openRunGateway } from '../runs/record/open-run-gateway.js';
import { handleStatusesChanged } from '../runs/update/run-events.js';
import { listBlobs } from '../testing/blobs.js';
import { publishAndListIngestionJobs } from '../testing/jobs.js';
import { createDatastore, createSite, getStringField, uploadText } from '../testing/create-resources.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { removeDiscardedBlobs } from '../blobs/discarded-blobs.js';

let test: TestGateway;
let tenant: Tenant;
let datastore: string;

beforeAll(async () => {
  test = await startTestGateway();
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  tenant = await test.createTenant();
  datastore = await createDatastore(tenant.api);
});

const requestDatasource = async (id: string) => tenant.api.get(`/api/datasources/${id}`);

async function getRunId(id: string): Promise<string> {
  const { body } = (await requestDatasource(id)) as { body: { run: { id: string } } };
  return body.run.id;
}

/** Records the event that ends the latest run of a datasource. */
async function reportRunEnd(id: string, status: StatusChanged['status'] = 'synched'): Promise<void> {
  const event = { datasourceId: id, runId: await getRunId(id), sequence: 1, at: '2026-06-01T12:00:00.000Z', status };
  await handleStatusesChanged(test.gateway, [event], { log: silentLog });
}

function listOwnBlobs(): readonly string[] {
  return listBlobs(test, tenant.organizationId);
}

describe('GET /api/datasources', () => {
  it('GET /api/datasources filters datasources by a part of the name (`name`) and by the code of their error (`errorCode`)', async () => {
    const report = await uploadText(tenant.api, datastore, 'x', 'Report 100%.txt');
    const notes = await uploadText(tenant.api, datastore, 'x', 'Report 100x.txt');
    const at = '2026-06-01T12:00:00.000Z';
    const event = { datasourceId: notes, runId: await getRunId(notes), sequence: 1, at, status: 'error' as const };
    const failed = { ...event, code: 'no_text_found' as const, message: 'No text was found.' };
    await handleStatusesChanged(test.gateway, [failed], { log: silentLog });
    const listIds = async (query: Readonly<Record<string, string>>): Promise<string[]> => {
      const { body } = (await tenant.api.get('/api/datasources').query(query)) as { body: { items: { id: string }[] } };
      return body.items.map(({ id }) => id);
    };
    expect(await listIds({ name: 'report' })).toEqual([notes, report]);
    expect(await listIds({ name: '100%' })).toEqual([report]);
    expect(await listIds({ name: String.raw`\%` })).toEqual([]);
    expect(await listIds({ errorCode: 'no_text_found' })).toEqual([notes]);
    expect(await listIds({ errorCode: 'file_empty' })).toEqual([]);
    expect(await listIds({ errorCode: 'a\0b', name: '\0' })).toEqual([]);
  });

  it('GET /api/datasources lists datasources page by page, and filters them by datastore, status and type', async () => {
    const other = await createDatastore(tenant.api);
    const file = await uploadText(tenant.api, datastore, 'x', 'a.txt');
    await uploadText(tenant.api, other, 'x', 'b.txt');
    const upserted = await tenant.api
      .post(`/api/datastores/upsert/${datastore}`)
      .send({ documents: [{ text: 'x', name: 'c' }] });
    const [document] = (upserted.body as { ids: string[] }).ids;
    await reportRunEnd(file);
    const listIds = async (query: string): Promise<string[]> => {
      const { body } = (await tenant.api.get(`/api/datasources?${query}`)) as { body: { items: { id: string }[] } };
      return body.items.map(({ id }) => id);
    };
    expect(await listIds(`datastoreId=${datastore}`)).toEqual([document, file]);
    expect(await listIds('status=synched')).toEqual([file]);
    expect(await listIds('type=document')).toEqual([document]);
    expect(await listIds('limit=2')).toHaveLength(2);
    expect(await listIds('')).toHaveLength(3);
  });

  it.each(['status=fine', 'type=rss', 'limit=x', 'colour=red'])(
    'GET /api/datasources refuses the query string ?%s',
    async (query) => {
      expect((await tenant.api.get(`/api/datasources?${query}`)).status).toBe(400);
    },
  );
});

describe('POST /api/datasources/{id}/sync', () => {
  it('a sync of a file starts a new run that reads the stored bytes of the file again', async () => {
    const id = await uploadText(tenant.api, datastore);
    await reportRunEnd(id, 'error');
    expect((await requestDatasource(id)).body).toMatchObject({ status: 'error', error: { code: 'error' } });
    const synced = await tenant.api.post(`/api/datasources/${id}/sync`);
    expect(synced.status).toBe(200);
    expect(synced.body).toMatchObject({ id, status: 'pending', error: null, run: { counters: NO_COUNTERS } });
    const jobs = await publishAndListIngestionJobs(test, tenant.organizationId);
    const blobKeys = jobs.map(({ payload }) => ('blobKey' in payload ? payload.blobKey : ''));
    expect(blobKeys).toHaveLength(2);
    expect(blobKeys[1]).toBe(blobKeys[0]);
    await reportRunEnd(id);
    expect((await requestDatasource(id)).body).toMatchObject({
      status: 'synched',
      lastSynch: '2026-06-01T12:00:00.000Z',
    });
    expect(listOwnBlobs()).toHaveLength(1);
  });

  it('a sync supersedes the run in progress, and a late status event of the superseded run changes nothing', async () => {
    const id = await uploadText(tenant.api, datastore);
    const before = (await requestDatasource(id)).body as { run: { id: string } };
    await tenant.api.post(`/api/datasources/${id}/sync`);
    const late = { datasourceId: id, runId: before.run.id, sequence: 9, at: '2026-06-01T12:00:00.000Z' };
    await handleStatusesChanged(test.gateway, [{ ...late, status: 'synched' }], { log: silentLog });
    expect((await requestDatasource(id)).body).toMatchObject({ status: 'pending' });
    const [run] = await test.gateway.db.select().from(runs).where(eq(runs.id, before.run.id));
    expect(run).toMatchObject({ status: 'superseded', endedAt: expect.any(Date) as unknown });
    expect(run?.timeline.map(({ step }) => step)).toEqual(['pending', 'superseded']);
  });
});

describe('POST /api/datasources/{id}/sync with an Idempotency-Key', () => {
  it('a repeated sync request with the same Idempotency-Key starts no second run', async () => {
    const id = await createSite(tenant.api, datastore);
    const startSync = (key: string) => tenant.api.post(`/api/datasources/${id}/sync`).set('Idempotency-Key', key);
    const first = await startSync('one');
    const again = await startSync('one');
    expect(first.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await test.gateway.db.$count(runs, eq(runs.datasourceId, id))).toBe(2);
    expect((await startSync('two')).body).not.toEqual(first.body);
    expect(await test.gateway.db.$count(runs, eq(runs.datasourceId, id))).toBe(3);
  });
});

describe('old runs of a datasource', () => {
  it('a new dry run deletes the oldest dry runs beyond `MAX_STORED_RUNS`, but no other runs', async () => {
    const listing = {
      type: 'item_listing',
      datastoreId: datastore,
      name: 'Shop',
      config: { url: 'https://shop.example/items' },
    };
    const id = getStringField(await tenant.api.post('/api/datasources').send(listing), 'id');
    const other = await createSite(tenant.api, datastore);
    const row = await lockDatasource(test.gateway.db, tenant.organizationId, id);
    const run = {
      organizationId: tenant.organizationId,
      datasourceId: id,
      sequence: 1,
      status: 'synched',
      dryRun: true,
      counters: NO_COUNTERS,
      failureReasons: [],
      timeline: [],
      endedAt: new Date(),
    } as const;
    await test.gateway.db
      .insert(runs)
      .values(Array.from({ length: MAX_STORED_RUNS + 20 }, () => ({ ...run, id: newId() })));
    const countRuns = async (dryRun: boolean) =>
      test.gateway.db.$count(runs, and(eq(runs.datasourceId, id), eq(runs.dryRun, dryRun)));
    await deleteOldRuns(test.gateway.db, [row], { dryRun: false });
    expect([await countRuns(true), await countRuns(false)]).toEqual([MAX_STORED_RUNS + 20, 1]);
    await reportRunEnd(id);
    expect((await tenant.api.post(`/api/datasources/${id}/sync?dryRun=true`)).status).toBe(200);
    expect([await countRuns(true), await countRuns(false)]).toEqual([MAX_STORED_RUNS, 1]);
    expect(await test.gateway.db.$count(runs, eq(runs.datasourceId, other))).toBe(1);
  });
});

describe('DELETE /api/datasources/{id}', () => {
  it('DELETE /api/datasources/{id} deletes a datasource and its bytes, and enqueues the removal of its fragments', async () => {
    const id = await uploadText(tenant.api, datastore);
    await publishAndListIngestionJobs(test, tenant.organizationId); // the worker has the job
    expect((await tenant.api.delete(`/api/datasources/${id}`)).status).toBe(204);
    expect((await requestDatasource(id)).status).toBe(404);
    expect(await publishAndListIngestionJobs(test, tenant.organizationId)).toMatchObject([
      { name: 'index-document' },
      { name: 'remove-datasource', payload: { datastoreId: datastore, datasourceId: id } },
    ]);
    await removeDiscardedBlobs(test.gateway, new Date());
    expect(listOwnBlobs()).toEqual([]);
  });

  it('a document whose datasource was deleted can be uploaded again as a new datasource', async () => {
    const id = await uploadText(tenant.api, datastore);
    await tenant.api.delete(`/api/datasources/${id}`);
    expect(await uploadText(tenant.api, datastore)).not.toBe(id);
    await removeDiscardedBlobs(test.gateway, new Date());
    expect(listOwnBlobs()).toHaveLength(1);
  });
});

describe('DELETE /api/datastores/{id}', () => {
  it('DELETE /api/datastores/{id} deletes the datasources of a datastore and their bytes, and enqueues one job that removes their fragments', async () => {
    const embedding = { model: 'm', dimensions: 8, distance: 'cosine' };
    const doomed = await createDatastore(tenant.api, { embedding });
    const ids = [
      await uploadText(tenant.api, doomed, 'x', 'a.txt'),
      await uploadText(tenant.api, doomed, 'y', 'b.txt'),
    ];
    const remaining = await uploadText(tenant.api, datastore);
    expect((await tenant.api.delete(`/api/datastores/${doomed}`)).status).toBe(204);
    for (const id of ids) expect((await requestDatasource(id)).status).toBe(404);
    expect((await requestDatasource(remaining)).status).toBe(200);
    const jobs = await publishAndListIngestionJobs(test, tenant.organizationId);
    expect(jobs.at(-1)).toMatchObject({ name: 'remove-datastore', payload: { datastoreId: doomed, embedding } });
    await removeDiscardedBlobs(test.gateway, new Date());
    expect(listOwnBlobs()).toHaveLength(1);
    expect(getStringField(await requestDatasource(remaining), 'status')).toBe('pending');
  });

  it('after DELETE /api/datastores/{id}, the runs of the datasources of the datastore are reported to workers as removed', async () => {
    const doomed = await createDatastore(tenant.api);
    const id = await createSite(tenant.api, doomed);
    const run = { datasourceId: id, runId: await getRunId(id) };
    const gateway = openRunGateway(test.gateway);
    expect(await gateway.readRunStates([run])).toEqual(['wanted']);
    await tenant.api.delete(`/api/datastores/${doomed}`);
    expect(await gateway.readRunStates([run])).toEqual(['removed']);
  });
});
