import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore } from '@quarry/blob-store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { removeExpiredUploads } from '../../../files/upload-repository.js';
import { removeOrganization } from '../../../organizations/remove-organization.js';
import { listBlobs, listDiscardedBlobs } from '../../../testing/blobs.js';
import { createUploadPart, createUpload } from '../../../testing/create-files.js';
import { startTestGateway } from '../../../testing/start-test-gateway.js';
import { setUpTenant } from '../../../testing/set-up-tenant.js';
import { createWatchedBlobStore } from '../../../testing/watched-blob-store.js';

const used = setUpTenant();
const HOUR_MS = 3_600_000;

const beginUpload = (body: object) =>
  used.tenant.api
    .post('/v1/uploads')
    .send({ filename: 'Märchen.txt', purpose: 'assistants', bytes: 13, mime_type: 'text/plain', ...body });
const completeUpload = (upload: string, body: object) =>
  used.tenant.api.post(`/v1/uploads/${upload}/complete`).send(body);

describe('/v1/uploads', () => {
  it('POST /v1/uploads/{id}/complete joins the parts in the order of `part_ids` into a file, and deletes the parts', async () => {
    const { api, organizationId } = used.tenant;
    const begun = await beginUpload({ expires_after: { anchor: 'created_at', seconds: 3_600 } });
    expect(begun.body).toMatchObject({ object: 'upload', filename: 'Märchen.txt', bytes: 13, status: 'pending' });
    const { id } = begun.body as { id: string };
    const second = await createUploadPart(api, id, 'einmal');
    const first = await createUploadPart(api, id, 'Es war ');
    const md5 = createHash('md5').update('Es war einmal').digest('hex');
    const completed = await completeUpload(id, { part_ids: [first, second], md5 });
    expect(completed.body).toMatchObject({ id, status: 'completed', file: { filename: 'Märchen.txt', bytes: 13 } });
    const { file } = completed.body as { file: { id: string; created_at: number; expires_at: number } };
    expect(file.expires_at - file.created_at).toBe(3_600);
    expect((await api.get(`/v1/files/${file.id}/content`)).text).toBe('Es war einmal');
    expect(await listDiscardedBlobs(used.test, organizationId)).toHaveLength(2);
    expect((await completeUpload(id, { part_ids: [first, second] })).body).toMatchObject({
      error: { param: 'upload_id' },
    });
  });

  it('cancelling an upload deletes its parts, and the upload accepts no further parts', async () => {
    const { api, organizationId } = used.tenant;
    const { upload } = await createUpload(api);
    expect((await api.post(`/v1/uploads/${upload}/cancel`)).body).toMatchObject({ status: 'cancelled' });
    expect(await listDiscardedBlobs(used.test, organizationId)).toHaveLength(1);
    expect((await api.post(`/v1/uploads/${upload}/parts`).attach('data', Buffer.from('x'), 'blob')).status).toBe(400);
  });

  it('an upload expires after an hour, and the watchdog removes its parts', async () => {
    let now = new Date();
    const test = await startTestGateway({ clock: () => now });
    onTestFinished(() => test.close());
    const { api, organizationId } = await test.createTenant();
    const { upload, part } = await createUpload(api);
    now = new Date(now.getTime() + HOUR_MS);
    expect((await api.post(`/v1/uploads/${upload}/complete`).send({ part_ids: [part] })).status).toBe(404);
    expect(await removeExpiredUploads(test.gateway.db, now)).toBe(1);
    expect(await listDiscardedBlobs(test, organizationId)).toHaveLength(1);
  });

  it('deleting an organization also discards the parts of its uploads', async () => {
    const tenant = await used.test.createTenant();
    await createUpload(tenant.api);
    await removeOrganization(used.test.gateway, tenant.organizationId);
    expect(await listDiscardedBlobs(used.test, tenant.organizationId)).toHaveLength(1);
  });

  it('a limited key can access only the uploads that it has created', async () => {
    const { upload } = await createUpload(used.tenant.api);
    const limited = used.test.createApi((await used.tenant.addKey({ datastoreIds: [used.datastore] })).key);
    expect((await limited.post(`/v1/uploads/${upload}/cancel`)).status).toBe(404);
    const own = await createUpload(limited);
    expect((await limited.post(`/v1/uploads/${own.upload}/complete`).send({ part_ids: [own.part] })).status).toBe(200);
  });

  it('POST /v1/uploads/{id}/complete refuses parts that do not match the declared size or md5, and keeps the upload pending', async () => {
    const { api, organizationId } = used.tenant;
    const { upload, part } = await createUpload(api, 'some text');
    const other = (await createUpload(api)).part;
    const refused = [
      [{ part_ids: [part], md5: '0'.repeat(32) }, 'md5'],
      [{ part_ids: [part, part] }, 'part_ids[1]'],
      [{ part_ids: [other] }, 'part_ids[0]'],
      [{ part_ids: ['x'] }, 'part_ids[0]'],
      [{ part_ids: [await createUploadPart(api, upload, 'x')] }, 'part_ids'],
    ] as const;
    const before = listBlobs(used.test, organizationId);
    for (const [body, param] of refused)
      expect((await completeUpload(upload, body)).body).toMatchObject({ error: { param, code: 'invalid_value' } });
    expect(listBlobs(used.test, organizationId)).toEqual(before);
    expect((await completeUpload(upload, { part_ids: [part] })).status).toBe(200);
  });

  it('if a part cannot be read when an upload is completed, the upload stays pending and can be completed later', async () => {
    let isBroken = false;
    const store = createWatchedBlobStore();
    const read: BlobStore['read'] = async (key) =>
      isBroken ? Readable.from(failReading(), { objectMode: false }) : store.read(key);
    const test = await startTestGateway({ blobs: { ...store, read } });
    onTestFinished(() => test.close());
    const { api } = await test.createTenant();
    const { upload, part } = await createUpload(api);
    const sendRequest = () => api.post(`/v1/uploads/${upload}/complete`).send({ part_ids: [part] });
    isBroken = true;
    expect((await sendRequest()).status).toBe(503);
    isBroken = false;
    expect((await sendRequest()).status).toBe(200);
  });

  async function* failReading(): AsyncGenerator<Buffer> {
    yield Buffer.from('some');
    throw await Promise.resolve(new Error('read ECONNRESET'));
  }

  it('POST /v1/uploads ignores the parameters of `mime_type`, such as the charset', async () => {
    const { api } = used.tenant;
    const body = { filename: 'server.log', bytes: 1, mime_type: 'text/plain; charset=utf-8' };
    const { id } = (await beginUpload(body)).body as { id: string };
    const completed = await completeUpload(id, { part_ids: [await createUploadPart(api, id, 'x')] });
    expect(completed.body).toMatchObject({ status: 'completed', file: { filename: 'server.log' } });
  });

  it('an upload refuses a part if all parts together exceed twice the declared size, and refuses completion if the type is unsupported', async () => {
    const { api } = used.tenant;
    const { upload } = await createUpload(api, 'some text');
    const part = await api.post(`/v1/uploads/${upload}/parts`).attach('data', Buffer.from('x'.repeat(10)), 'blob');
    expect(part.status).toBe(413);
    const { id } = (await beginUpload({ filename: 'a.zip', bytes: 1, mime_type: 'application/zip' })).body as {
      id: string;
    };
    expect((await completeUpload(id, { part_ids: [await createUploadPart(api, id, '\u0000')] })).status).toBe(415);
  });

  it.each([
    [{ purpose: 'batch' }, 'purpose'],
    [{ bytes: 0 }, 'bytes'],
    [{ bytes: 2 ** 40 }, 'bytes'],
    [{ filename: '' }, 'filename'],
    [{ expires_after: { anchor: 'created_at', seconds: 1 } }, 'expires_after.seconds'],
    [{ made_up: 1 }, 'made_up'],
  ])('POST /v1/uploads refuses a body with %j, and names the parameter %s', async (body, param) => {
    const refused = await beginUpload(body);
    expect([refused.status, refused.body]).toMatchObject([400, { error: { param } }]);
  });
});
