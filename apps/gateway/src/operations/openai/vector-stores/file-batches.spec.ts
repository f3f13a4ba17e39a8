import { SCOPES } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { getLowestIdAtTime, newId } from '../../../database/id.js';
import { fileBatches } from '../../../database/tables/file-batches.js';
import { findDatastore } from '../../../datastores/datastore-repository.js';
import { requireFile } from '../../../files/file-repository.js';
import { publishAndListIngestionJobs } from '../../../testing/jobs.js';
import { createFileBatch, createFile, createVectorStore } from '../../../testing/create-files.js';
import { createDatastore, createSite, uploadText } from '../../../testing/create-resources.js';
import { expectEventually } from '../../../testing/expect-eventually.js';
import { setUpTenant } from '../../../testing/set-up-tenant.js';
import { withCopiedFiles } from '../../../vector-stores/attach-files.js';

const used = setUpTenant();

const createBatch = (store: string, body: object) =>
  used.tenant.api.post(`/v1/vector_stores/${store}/file_batches`).send(body);
const getBatch = async (store: string, batch: string, part = '') =>
  (await used.tenant.api.get(`/v1/vector_stores/${store}/file_batches/${batch}${part}`)).body as object;

describe('/v1/vector_stores/{id}/file_batches', () => {
  it('POST /v1/vector_stores/{id}/file_batches adds several files in one request, with attributes for all files or for each file', async () => {
    const { api } = used.tenant;
    const store = await createVectorStore(api);
    const ids = [await createFile(api), await createFile(api)] as const;
    const first = await createBatch(store, { file_ids: ids, attributes: { year: 1812 } });
    expect(first.body).toMatchObject({
      ...{ object: 'vector_store.files_batch', vector_store_id: store, status: 'in_progress' },
      file_counts: { in_progress: 2, completed: 0, failed: 0, cancelled: 0, total: 2 },
    });
    const { id } = first.body as { id: string };
    expect(await getBatch(store, id)).toEqual(first.body);
    expect(await getBatch(store, id, '/files?order=asc')).toMatchObject({
      data: ids.map((file) => ({ id: file, attributes: { year: 1812 } })),
    });
    expect(await getBatch(store, id, '/files?filter=completed')).toMatchObject({ data: [] });
    const files = [{ file_id: ids[0], attributes: { lang: 'de' } }];
    const { id: second } = (await createBatch(store, { files })).body as { id: string };
    expect(await getBatch(store, second, '/files')).toMatchObject({
      data: [{ id: ids[0], attributes: { lang: 'de' } }],
    });
    expect(await getBatch(store, id)).toMatchObject({ file_counts: { total: 2 } });
  });

  it('a batch keeps its files if another request adds the same files, and still exists after all its files were removed', async () => {
    const { api } = used.tenant;
    const store = await createVectorStore(api);
    const files = [await createFile(api), await createFile(api)];
    const first = await createFileBatch(api, store, files);
    const second = await createFileBatch(api, store, files);
    await api.post(`/v1/vector_stores/${store}/files`).send({ file_id: files[0] });
    for (const batch of [first, second])
      expect(await getBatch(store, batch)).toMatchObject({ id: batch, file_counts: { in_progress: 2, total: 2 } });
    expect(await getBatch(store, first, '/files?order=asc')).toMatchObject({ data: files.map((id) => ({ id })) });
    const cancelled = await api.post(`/v1/vector_stores/${store}/file_batches/${first}/cancel`);
    expect(cancelled.body).toMatchObject({ status: 'in_progress', file_counts: { in_progress: 2 } });
    for (const file of files) await api.delete(`/v1/vector_stores/${store}/files/${file}`);
    expect(await getBatch(store, first)).toMatchObject({ status: 'completed', file_counts: { total: 0 } });
    expect(await getBatch(store, first, '/files')).toMatchObject({ data: [] });
  });

  it('a batch of datasources does not wait for a transaction that adds the same datasources to another vector store', async () => {
    const { api, organizationId } = used.tenant;
    const { gateway } = used.test;
    const other = await createDatastore(api);
    const ids = [await uploadText(api, used.datastore), await uploadText(api, other)];
    const caller = { organizationId, keyId: newId(), scopes: SCOPES, limits: undefined };
    const files = await Promise.all(
      ids.map(async (id) => ({ file: await requireFile(gateway.db, caller, id, new Date()), attributes: null })),
    );
    const datastore = await findDatastore(gateway.db, organizationId, other);
    const statuses: number[] = [];
    await withCopiedFiles(gateway, { organizationId, datastoreId: other }, files, async (save) =>
      gateway.db.transaction(async (tx) => {
        await save(tx, datastore);
        const batch = { file_ids: ids.map((id) => `file-${id}`) };
        void createBatch(`vs_${used.datastore}`, batch).then(({ status }) => statuses.push(status));
        await expectEventually(() => statuses).toEqual([200]);
        return {};
      }),
    );
    expect((await api.get(`/v1/vector_stores/vs_${other}`)).body).toMatchObject({ file_counts: { total: 2 } });
  });

  it('the API does not find a batch in another vector store, or after its own vector store was deleted', async () => {
    const { api } = used.tenant;
    const store = await createVectorStore(api);
    const batch = await createFileBatch(api, store, [await createFile(api)]);
    const other = await createVectorStore(api);
    expect(await getBatch(other, batch)).toMatchObject({ error: { code: 'not_found' } });
    await api.delete(`/v1/vector_stores/${store}`);
    expect(await getBatch(store, batch)).toMatchObject({ error: { code: 'not_found' } });
  });

  it('creating a batch deletes the batches of the same vector store that are older than 30 days', async () => {
    const { api } = used.tenant;
    const { db, clock } = used.test.gateway;
    const store = await createVectorStore(api);
    const files = [await createFile(api)];
    const [first, second] = [await createFileBatch(api, store, files), await createFileBatch(api, store, files)];
    const old = getLowestIdAtTime(clock().getTime() - 31 * 86_400_000);
    await db
      .update(fileBatches)
      .set({ id: old })
      .where(eq(fileBatches.id, first.slice('vsfb_'.length)));
    await createFileBatch(api, store, files);
    const stored = await db
      .select({ id: fileBatches.id })
      .from(fileBatches)
      .where(eq(fileBatches.datastoreId, store.slice('vs_'.length)));
    expect(stored.map(({ id }) => id)).toContain(second.slice('vsfb_'.length));
    expect(stored).toHaveLength(2);
  });

  it('POST /v1/vector_stores/{id}/file_batches/{id}/cancel cancels the files of the batch that are in progress, and no other files', async () => {
    const { api } = used.tenant;
    const store = await createVectorStore(api, { file_ids: [await createFile(api)] });
    const batch = await createFileBatch(api, store, [await createFile(api)]);
    const cancelBatch = async () =>
      (await api.post(`/v1/vector_stores/${store}/file_batches/${batch}/cancel`)).body as object;
    expect(await cancelBatch()).toMatchObject({ status: 'cancelled', file_counts: { cancelled: 1, total: 1 } });
    expect(await cancelBatch()).toMatchObject({ status: 'cancelled' });
    expect((await api.get(`/v1/vector_stores/${store}`)).body).toMatchObject({
      file_counts: { in_progress: 1, cancelled: 1 },
    });
  });

  it('POST /v1/vector_stores/{id}/file_batches adds no file if one of the files cannot be added', async () => {
    const { api } = used.tenant;
    const store = await createVectorStore(api);
    const file = await createFile(api);
    const site = `file-${await createSite(api, used.datastore)}`;
    expect((await createBatch(store, { file_ids: [file, site] })).status).toBe(404);
    expect((await api.get(`/v1/vector_stores/${store}/files`)).body).toMatchObject({ data: [] });
  });

  it('repeated requests to create a batch with the same Idempotency-Key create one batch', async () => {
    const { api, organizationId } = used.tenant;
    const store = await createVectorStore(api);
    const body = { file_ids: [await createFile(api)] };
    const first = await createBatch(store, body).set('Idempotency-Key', 'batch-1');
    expect((await createBatch(store, body).set('Idempotency-Key', 'batch-1')).body).toEqual(first.body);
    expect(await publishAndListIngestionJobs(used.test, organizationId)).toHaveLength(1);
  });

  it.each([
    [{}, 'file_ids'],
    [{ file_ids: [] }, 'file_ids'],
    [{ file_ids: ['a'], files: [{ file_id: 'a' }] }, 'file_ids'],
    [{ files: [{ file_id: 'a' }], attributes: {} }, 'attributes'],
    [{ files: [{ file_id: 'a', made_up: 1 }] }, 'files[0].made_up'],
    [{ file_ids: Array.from({ length: 501 }, () => 'a') }, 'file_ids'],
    [{ file_ids: ['file-x'] }, 'file_ids'],
  ])(
    'POST /v1/vector_stores/{id}/file_batches refuses a body with %j, and names the parameter %s',
    async (body, param) => {
      const refused = await createBatch(`vs_${used.datastore}`, body);
      expect([refused.status, refused.body]).toMatchObject([400, { error: { param } }]);
    },
  );

  it('POST /v1/vector_stores/{id}/file_batches refuses a batch that contains a file twice', async () => {
    const file = await createFile(used.tenant.api);
    const refused = await createBatch(`vs_${used.datastore}`, { file_ids: [file, file] });
    expect(refused.body).toMatchObject({
      error: { param: 'file_ids', message: expect.stringContaining(file) as string },
    });
  });
});
