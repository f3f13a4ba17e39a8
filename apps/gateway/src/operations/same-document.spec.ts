import { describe, expect, it } from 'vitest';
import { listBlobs, listDiscardedBlobs } from '../testing/blobs.js';
import { jobsOf } from '../testing/jobs.js';
import { makeDatastore, textOf, uploadText } from '../testing/make.js';
import { useTenant } from '../testing/use-tenant.js';
import { removeDiscardedBlobs } from '../blobs/remove-discarded-blobs.js';

const used = useTenant();

const uploadTo = () => used.tenant.api.post(`/api/external/datastores/file-upload/${used.datastore}`);

async function jobs(): Promise<readonly object[]> {
  return (await jobsOf(used.test, used.tenant.organizationId)).map(({ payload }) => payload);
}

const ownBlobs = () => listBlobs(used.test, used.tenant.organizationId);
const reservations = () => listDiscardedBlobs(used.test, used.tenant.organizationId);

describe('uploading the same document again', () => {
  it('starts a new run of the same datasource, and keeps the old bytes until that run ends', async () => {
    const first = await uploadTo().attach('file', Buffer.from('old'), 'a.txt');
    const second = await uploadTo().attach('file', Buffer.from('new'), 'a.txt');
    expect(second.status).toBe(201);
    expect(textOf(second, 'id')).toBe(textOf(first, 'id'));
    expect(ownBlobs()).toHaveLength(2);
    expect(await reservations()).toHaveLength(1);
    // The first run may still read the old bytes.
    await removeDiscardedBlobs(used.test.gateway, new Date(Date.now() + 3_600_000));
    expect(ownBlobs()).toHaveLength(2);
    const all = (await jobs()) as { runId: string; generation: number; blobKey: string }[];
    expect(all).toHaveLength(2);
    expect(new Set(all.map(({ runId }) => runId)).size).toBe(2);
    expect(all[1]?.generation).toBeGreaterThan(all[0]?.generation ?? Infinity);
    expect(await used.test.blobs.readText(all[1]?.blobKey ?? '')).toBe('new');
  });

  it('requires the same custom id and the same name', async () => {
    const send = (name: string, customId: string) =>
      uploadTo().field('custom_id', customId).attach('file', Buffer.from('x'), name);
    const one = textOf(await send('a.txt', 'c1'), 'id');
    expect(textOf(await send('a.txt', 'c1'), 'id')).toBe(one);
    expect(textOf(await send('other.txt', 'c1'), 'id')).not.toBe(one);
    expect(textOf(await send('a.txt', 'c2'), 'id')).not.toBe(one);
    expect(await uploadText(used.tenant.api, used.datastore, 'x', 'a.txt')).not.toBe(one);
  });

  it('creates another datasource in another datastore', async () => {
    const other = await makeDatastore(used.tenant.api);
    expect(await uploadText(used.tenant.api, other)).not.toBe(await uploadText(used.tenant.api, used.datastore));
  });

  it('results in one datasource, even for parallel uploads', async () => {
    const ids = await Promise.all(
      Array.from({ length: 8 }, async () => uploadText(used.tenant.api, used.datastore, 'x', 'a.txt')),
    );
    expect(new Set(ids).size).toBe(1);
    expect((await used.tenant.api.get('/api/datasources')).body).toMatchObject({ items: [{ status: 'pending' }] });
    const all = (await jobs()) as { runId: string; generation: number }[];
    expect(all).toHaveLength(8);
    expect(await reservations()).toHaveLength(7);
    const { body } = (await used.tenant.api.get(`/api/datasources/${String(ids[0])}`)) as {
      body: { run: { id: string } };
    };
    const newest = all.toSorted((a, b) => b.generation - a.generation)[0];
    expect(body.run.id).toBe(newest?.runId);
  });
});
