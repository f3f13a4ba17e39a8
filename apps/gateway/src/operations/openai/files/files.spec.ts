import type { BlobStore } from '@quarry/blob-store';
import { SCOPES } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { removeDiscardedBlobs } from '../../../blobs/discarded-blobs.js';
import { newId } from '../../../database/id.js';
import { datasources } from '../../../database/tables/datasources.js';
import { findDatastore } from '../../../datastores/datastore-repository.js';
import { requireFile } from '../../../files/file-repository.js';
import { removeExpiredFiles } from '../../../files/remove-files.js';
import { removeOrganization } from '../../../organizations/remove-organization.js';
import { listBlobs, listDiscardedBlobs } from '../../../testing/blobs.js';
import { createFile, createVectorStore, sendTextFile } from '../../../testing/create-files.js';
import { createDatastore, createSite, uploadText } from '../../../testing/create-resources.js';
import { expectEventually } from '../../../testing/expect-eventually.js';
import { type Api, startTestGateway } from '../../../testing/start-test-gateway.js';
import { setUpTenant } from '../../../testing/set-up-tenant.js';
import { WAITING_CONNECTIONS } from '../../../testing/waiting-connections.js';
import { createWatchedBlobStore } from '../../../testing/watched-blob-store.js';
import { withCopiedFiles } from '../../../vector-stores/attach-files.js';

const used = setUpTenant();
const DAY_MS = 86_400_000;
const UNKNOWN = '00000000-0000-7000-8000-00000000dead';

const postRequest = () => used.tenant.api.post('/v1/files').attach('file', Buffer.from('x'), { filename: 'a.txt' });
const listIds = async (query: object = {}): Promise<string[]> => {
  const { body } = (await used.tenant.api.get('/v1/files').query(query)) as { body: { data: { id: string }[] } };
  return body.data.map(({ id }) => id);
};

const addFiles = async (api: Api, store: string, fileIds: readonly string[]) =>
  api.post(`/v1/vector_stores/${store}/file_batches`).send({ file_ids: fileIds });
const getFileCounts = async (api: Api, store: string): Promise<unknown> =>
  ((await api.get(`/v1/vector_stores/${store}`)).body as { file_counts: unknown }).file_counts; // as documented

describe('/v1/files', () => {
  it('POST /v1/files stores a file, which expires after 30 days unless the request sets a shorter time', async () => {
    const file = (await sendTextFile(used.tenant.api, 'Äpfel', 'Märchen.txt')).body as Readonly<Record<string, number>>;
    expect(file).toMatchObject({
      ...{ object: 'file', filename: 'Märchen.txt', bytes: 6, purpose: 'assistants', status: 'processed' },
    });
    expect((file['expires_at'] ?? 0) - (file['created_at'] ?? 0)).toBe(30 * 86_400);
    const short = await postRequest()
      .field('purpose', 'user_data')
      .field('expires_after[anchor]', 'created_at')
      .field('expires_after[seconds]', '3600');
    const { created_at: created, expires_at: expires } = short.body as Readonly<Record<string, number>>;
    expect((expires ?? 0) - (created ?? 0)).toBe(3_600);
  });

  it.each([
    ['application/vnd.ms-excel', 'prices.csv', 'a,b\n1,2\n', 'text/csv'],
    ['application/octet-stream', 'report', '%PDF-1.7', 'application/pdf'],
    ['application/octet-stream', 'README', 'some text', 'text/plain'],
  ])(
    'POST /v1/files determines the type from the content of a file that is declared as %s with the name %s',
    async (type, name, text, found) => {
      const { api } = used.tenant;
      const file = { filename: name, contentType: type };
      const sent = await api.post('/v1/files').field('purpose', 'assistants').attach('file', Buffer.from(text), file);
      const { id } = sent.body as { id: string };
      expect((await api.get(`/v1/files/${id}/content`)).headers['content-type']).toBe(found);
    },
  );

  it('GET /v1/files/{id} returns the description of a file, and GET /v1/files/{id}/content returns the bytes of the file', async () => {
    const id = await createFile(used.tenant.api, 'Es war einmal');
    expect((await used.tenant.api.get(`/v1/files/${id}`)).body).toMatchObject({ id, filename: 'notes.txt' });
    const content = await used.tenant.api.get(`/v1/files/${id}/content`).set('Range', 'bytes=0-1');
    expect([content.status, content.text, content.headers['content-type']]).toEqual([206, 'Es', 'text/plain']);
  });

  it('GET /v1/files/{id}/content causes no process warning, such as the warning of a memory leak', async () => {
    const warnings: string[] = [];
    const record = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', record);
    onTestFinished(() => void process.off('warning', record));
    const id = await createFile(used.tenant.api);
    expect((await used.tenant.api.get(`/v1/files/${id}/content`)).status).toBe(200);
    expect(warnings).toEqual([]);
  });

  it('GET /v1/files lists the files of one purpose page by page, in ascending or descending order', async () => {
    const ids = [];
    for (const name of ['a.txt', 'b.txt', 'c.txt']) ids.push(await createFile(used.tenant.api, 'x', name));
    await postRequest().field('purpose', 'user_data');
    const [a = '', b = '', c = ''] = ids;
    expect(await listIds({ purpose: 'assistants' })).toEqual([c, b, a]);
    expect(await listIds({ purpose: 'assistants', order: 'asc', limit: 2 })).toEqual([a, b]);
    expect(await listIds({ purpose: 'assistants', order: 'asc', after: b })).toEqual([c]);
    await used.tenant.api.delete(`/v1/files/${b}`);
    expect(await listIds({ purpose: 'assistants', after: b })).toEqual([a]);
  });

  it('DELETE /v1/files/{id} deletes a file, the blob of the file and the copies of the file in vector stores', async () => {
    const { api, organizationId } = used.tenant;
    const id = await createFile(api);
    const store = await createVectorStore(api, { file_ids: [id] });
    expect(listBlobs(used.test, organizationId)).toHaveLength(2);
    expect((await api.delete(`/v1/files/${id}`)).body).toEqual({ id, object: 'file', deleted: true });
    expect((await api.get(`/v1/files/${id}`)).status).toBe(404);
    expect((await api.get(`/v1/vector_stores/${store}`)).body).toMatchObject({ file_counts: { total: 0 } });
    expect(await listDiscardedBlobs(used.test, organizationId)).toHaveLength(2);
    await removeDiscardedBlobs(used.test.gateway, new Date());
    expect(listBlobs(used.test, organizationId)).toEqual([]);
  });

  it.each(['an uploaded file', 'a datasource'])(
    'if %s is deleted while a vector store copies it, the file is not added to the vector store',
    async (kind) => {
      const isCopying = Promise.withResolvers<undefined>();
      const isDeleted = Promise.withResolvers<undefined>();
      let isBlocked = false;
      const blobs = createWatchedBlobStore();
      const write: BlobStore['write'] = async (key, content) => {
        isCopying.resolve(undefined);
        if (isBlocked) await isDeleted.promise;
        return blobs.write(key, content);
      };
      const test = await startTestGateway({ blobs: { ...blobs, write } });
      onTestFinished(() => test.close());
      const { api } = await test.createTenant();
      const id =
        kind === 'a datasource' ? `file-${await uploadText(api, await createDatastore(api))}` : await createFile(api);
      const store = await createVectorStore(api);
      isBlocked = true;
      const added = addFiles(api, store, [id]);
      await isCopying.promise;
      expect((await api.delete(`/v1/files/${id}`)).status).toBe(200);
      isDeleted.resolve(undefined);
      expect((await added).status).toBe(404);
      expect(await getFileCounts(api, store)).toMatchObject({ total: 0 });
    },
  );

  it.each(['an uploaded file', 'a datasource'])(
    'if %s is deleted while a transaction adds it to a vector store, its new copy is deleted too',
    async (kind) => {
      const { api } = used.tenant;
      const { gateway } = used.test;
      const id = kind === 'a datasource' ? `file-${await uploadText(api, used.datastore)}` : await createFile(api);
      const store = await createVectorStore(api);
      const datastore = await findDatastore(gateway.db, used.tenant.organizationId, store.slice('vs_'.length));
      const caller = { organizationId: used.tenant.organizationId, keyId: newId(), scopes: SCOPES, limits: undefined };
      const file = await requireFile(gateway.db, caller, id.slice('file-'.length), new Date());
      const destination = { organizationId: datastore.organizationId, datastoreId: datastore.id };
      const deletions: Promise<number>[] = [];
      await withCopiedFiles(gateway, destination, [{ file, attributes: null }], async (save) =>
        gateway.db.transaction(async (tx) => {
          await save(tx, datastore);
          deletions.push(api.delete(`/v1/files/${id}`).then(({ status }) => status));
          await expectEventually(async () => (await tx.execute(WAITING_CONNECTIONS)).rows.length).toBe(1);
          return {};
        }),
      );
      expect(await Promise.all(deletions)).toEqual([200]);
      expect(await getFileCounts(api, store)).toMatchObject({ total: 0 });
    },
  );

  it('if one copy of a file is removed while DELETE /v1/files/{id} deletes the copies, the other copies are deleted', async () => {
    const { api } = used.tenant;
    const { db } = used.test.gateway;
    const id = await createFile(api);
    const stores = [
      await createVectorStore(api, { file_ids: [id] }),
      await createVectorStore(api, { file_ids: [id] }),
    ] as const;
    const isCopy = eq(datasources.fileId, id.slice('file-'.length));
    const [first] = await db.select().from(datasources).where(isCopy).orderBy(datasources.id);
    const { deletion } = await db.transaction(async (tx) => {
      await tx.delete(datasources).where(eq(datasources.id, first?.id ?? ''));
      const status = api.delete(`/v1/files/${id}`).then((response) => response.status);
      await expectEventually(async () => (await tx.execute(WAITING_CONNECTIONS)).rows.length).toBe(1);
      return { deletion: status };
    });
    expect(await deletion).toBe(200);
    for (const store of stores) expect(await getFileCounts(api, store)).toMatchObject({ total: 0 });
  });

  it('GET /v1/files/{id} returns the file of a datasource if the id is `file-` followed by the id of the datasource, as in citations', async () => {
    const { api } = used.tenant;
    const id = `file-${await uploadText(api, used.datastore, 'some text')}`;
    expect((await api.get(`/v1/files/${id}`)).body).toMatchObject({ id, bytes: 9, purpose: 'assistants' });
    expect((await api.get(`/v1/files/${id}/content`)).text).toBe('some text');
    const site = `file-${await createSite(api, used.datastore)}`;
    expect(await api.get(`/v1/files/${site}/content`)).toMatchObject({
      ...{ status: 404, body: { error: { code: 'no_original' } } },
    });
  });

  it('an expired file is deleted, but its copy in a vector store can still be read by the id of the file', async () => {
    const { api } = used.tenant;
    const id = await createFile(api, 'kept');
    const lost = await createFile(api, 'lost');
    await createVectorStore(api, { file_ids: [id] });
    const later = new Date(Date.now() + 31 * DAY_MS);
    expect(await removeExpiredFiles(used.test.gateway.db, later)).toBeGreaterThanOrEqual(2);
    expect(await listIds()).toEqual([]);
    expect((await api.get(`/v1/files/${lost}`)).status).toBe(404);
    expect((await api.get(`/v1/files/${id}`)).body).not.toHaveProperty('expires_at');
    expect((await api.get(`/v1/files/${id}/content`)).text).toBe('kept');
  });

  it('the API does not find an expired file, even before the watchdog removes it', async () => {
    let now = new Date();
    const test = await startTestGateway({ clock: () => now });
    onTestFinished(() => test.close());
    const { api } = await test.createTenant();
    const id = await createFile(api);
    now = new Date(now.getTime() + 31 * DAY_MS);
    expect((await api.get(`/v1/files/${id}`)).status).toBe(404);
    expect((await api.get('/v1/files')).body).toMatchObject({ data: [], first_id: null, has_more: false });
  });

  it('deleting an organization also discards the blobs of its files', async () => {
    const tenant = await used.test.createTenant();
    await createFile(tenant.api);
    await removeOrganization(used.test.gateway, tenant.organizationId);
    expect(await listDiscardedBlobs(used.test, tenant.organizationId)).toHaveLength(1);
  });

  it('a limited key can access only the files that it has uploaded', async () => {
    const foreign = await createFile(used.tenant.api);
    const limited = used.test.createApi((await used.tenant.addKey({ datastoreIds: [used.datastore] })).key);
    const own = await createFile(limited);
    expect((await limited.get('/v1/files')).body).toMatchObject({ data: [{ id: own }] });
    expect((await limited.get(`/v1/files/${own}`)).status).toBe(200);
    expect((await limited.get(`/v1/files/${foreign}`)).status).toBe(404);
    expect((await limited.delete(`/v1/files/${foreign}`)).status).toBe(404);
    expect((await used.tenant.api.get(`/v1/files/${foreign}`)).status).toBe(200);
  });

  it('repeated POST /v1/files requests with the same Idempotency-Key create one file', async () => {
    const sendRequest = () => sendTextFile(used.tenant.api).set('Idempotency-Key', 'upload-1');
    const first = await sendRequest();
    expect((await sendRequest()).body).toEqual(first.body);
    expect(await listIds()).toHaveLength(1);
    expect(listBlobs(used.test, used.tenant.organizationId)).toHaveLength(1);
  });

  it.each([
    ['purpose', () => postRequest().field('purpose', 'batch'), 400],
    ['purpose', () => postRequest(), 400],
    ['made_up', () => postRequest().field('purpose', 'assistants').field('made_up', '1'), 400],
    ['expires_after.seconds', () => uploadWithExpiry('1'), 400],
    ['expires_after', () => postRequest().field('purpose', 'assistants').field('expires_after', '1'), 400],
    ['purpose', () => postRequest().field('purpose[4000000000]', 'assistants'), 400],
    ['file', () => used.tenant.api.post('/v1/files').field('purpose', 'assistants'), 400],
    ['supported', () => sendTextFile(used.tenant.api, 'x', 'a.zip'), 415],
    ['after', () => used.tenant.api.get('/v1/files').query({ after: 'x' }), 400],
    [UNKNOWN, () => used.tenant.api.get(`/v1/files/file-${UNKNOWN}`), 404],
    ['made-up', () => used.tenant.api.get('/v1/files/made-up'), 404],
  ])(
    'the operations on files refuse an invalid request with a message that contains the invalid parameter or value: %s',
    async (name, send, status) => {
      const response = await send();
      expect([response.status, response.text]).toEqual([status, expect.stringContaining(name)]);
      expect(listBlobs(used.test, used.tenant.organizationId)).toEqual([]);
    },
  );
});

function uploadWithExpiry(seconds: string) {
  const fields = postRequest().field('purpose', 'assistants').field('expires_after[anchor]', 'created_at');
  return fields.field('expires_after[seconds]', seconds);
}
