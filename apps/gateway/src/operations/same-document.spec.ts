import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { runs } from '../database/tables/runs.js';
import { listBlobs, listDiscardedBlobs } from '../testing/blobs.js';
import { publishAndListIngestionJobs, publishOutboxJobs } from '../testing/jobs.js';
import { createDatastore, getStringField, uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { removeDiscardedBlobs } from '../blobs/discarded-blobs.js';

const used = setUpTenant();

const uploadToDatastore = () => used.tenant.api.post(`/api/external/datastores/file-upload/${used.datastore}`);

async function listJobs(): Promise<readonly object[]> {
  return (await publishAndListIngestionJobs(used.test, used.tenant.organizationId)).map(({ payload }) => payload);
}

const listOwnBlobs = () => listBlobs(used.test, used.tenant.organizationId);
const listReservedBlobs = () => listDiscardedBlobs(used.test, used.tenant.organizationId);

describe('uploading the same document again', () => {
  it('uploading a document again starts a new run of the datasource, and keeps the old bytes until the new run ends', async () => {
    const first = await uploadToDatastore().attach('file', Buffer.from('old'), 'a.txt');
    await publishOutboxJobs(used.test); // the worker has the job
    const second = await uploadToDatastore().attach('file', Buffer.from('new'), 'a.txt');
    expect(second.status).toBe(201);
    expect(getStringField(second, 'id')).toBe(getStringField(first, 'id'));
    expect(listOwnBlobs()).toHaveLength(2);
    expect(await listReservedBlobs()).toHaveLength(1);
    // The first run may still read the old bytes.
    await removeDiscardedBlobs(used.test.gateway, new Date(Date.now() + 3_600_000));
    expect(listOwnBlobs()).toHaveLength(2);
    const all = (await listJobs()) as { runId: string; generation: number; blobKey: string }[];
    expect(all).toHaveLength(2);
    expect(new Set(all.map(({ runId }) => runId)).size).toBe(2);
    expect(all[1]?.generation).toBeGreaterThan(all[0]?.generation ?? Infinity);
    expect(await used.test.blobs.readText(all[1]?.blobKey ?? '')).toBe('new');
  });

  it('an upload replaces only a document that has the same custom id and the same name', async () => {
    const sendFile = (name: string, customId: string) =>
      uploadToDatastore().field('custom_id', customId).attach('file', Buffer.from('x'), name);
    const one = getStringField(await sendFile('a.txt', 'c1'), 'id');
    expect(getStringField(await sendFile('a.txt', 'c1'), 'id')).toBe(one);
    expect(getStringField(await sendFile('other.txt', 'c1'), 'id')).not.toBe(one);
    expect(getStringField(await sendFile('a.txt', 'c2'), 'id')).not.toBe(one);
    expect(await uploadText(used.tenant.api, used.datastore, 'x', 'a.txt')).not.toBe(one);
  });

  it('files whose long names differ only near the end are two documents', async () => {
    const start = 'n'.repeat(220);
    const id = await uploadText(used.tenant.api, used.datastore, 'x', `${start} 1.txt`);
    expect(await uploadText(used.tenant.api, used.datastore, 'y', `${start} 2.txt`)).not.toBe(id);
    expect(await uploadText(used.tenant.api, used.datastore, 'z', `${start} 1.txt`)).toBe(id);
  });

  it('uploading the same document to another datastore creates another datasource', async () => {
    const other = await createDatastore(used.tenant.api);
    expect(await uploadText(used.tenant.api, other)).not.toBe(await uploadText(used.tenant.api, used.datastore));
  });

  it('parallel uploads of the same document create one datasource', async () => {
    const ids = await Promise.all(
      Array.from({ length: 8 }, async () => uploadText(used.tenant.api, used.datastore, 'x', 'a.txt')),
    );
    expect(new Set(ids).size).toBe(1);
    expect((await used.tenant.api.get('/api/datasources')).body).toMatchObject({ items: [{ status: 'pending' }] });
    const started = await used.test.gateway.db
      .select()
      .from(runs)
      .where(eq(runs.datasourceId, String(ids[0])));
    const all = started.map(({ id: runId, generation }) => ({ runId, generation }));
    expect(all).toHaveLength(8);
    expect(await listReservedBlobs()).toHaveLength(7);
    const { body } = (await used.tenant.api.get(`/api/datasources/${String(ids[0])}`)) as {
      body: { run: { id: string } };
    };
    const newest = all.toSorted((a, b) => b.generation - a.generation)[0];
    expect(body.run.id).toBe(newest?.runId);
    expect(await listJobs()).toMatchObject([{ runId: body.run.id }]);
  });
});
