import { DEFAULT_SPLITTING } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { createFile, createVectorStore } from '../../../testing/create-files.js';
import { createDatastore, uploadText } from '../../../testing/create-resources.js';
import { setUpTenant } from '../../../testing/set-up-tenant.js';

const used = setUpTenant();
const toDatastoreId = (id: string): string => id.slice('vs_'.length);

const listIds = async (query: object = {}): Promise<unknown> => {
  const { body } = (await used.tenant.api.get('/v1/vector_stores').query(query)) as {
    body: { data: { id: string }[] };
  };
  return body.data.map(({ id }) => id);
};

describe('/v1/vector_stores', () => {
  it('POST /v1/vector_stores creates a datastore with the settings of a vector store', async () => {
    const { api } = used.tenant;
    const id = await createVectorStore(api, {
      ...{ name: 'Märchen', description: 'Tales', metadata: { team: 'a' } },
      chunking_strategy: { type: 'static', static: { max_chunk_size_tokens: 400, chunk_overlap_tokens: 100 } },
    });
    expect((await api.get(`/api/datastores/${toDatastoreId(id)}`)).body).toMatchObject({
      ...{ name: 'Märchen', description: 'Tales', splitting: { maxTokens: 400, overlapTokens: 100 } },
    });
    await uploadText(api, toDatastoreId(id), 'some text');
    expect((await api.get(`/v1/vector_stores/${id}`)).body).toMatchObject({
      ...{ id, object: 'vector_store', name: 'Märchen', metadata: { team: 'a' }, usage_bytes: 9 },
      ...{ status: 'in_progress', file_counts: { in_progress: 1, completed: 0, failed: 0, cancelled: 0, total: 1 } },
    });
  });

  it('a vector store without settings gets a default name and the default splitting', async () => {
    const { api } = used.tenant;
    const response = await api.post('/v1/vector_stores').send({ chunking_strategy: { type: 'auto' }, metadata: null });
    const body: unknown = response.body;
    expect(body).toMatchObject({
      name: 'Vector store',
      metadata: null,
      status: 'completed',
      file_counts: { total: 0 },
    });
    const { id } = body as { id: string };
    expect((await api.get(`/api/datastores/${toDatastoreId(id)}`)).body).toMatchObject({
      splitting: DEFAULT_SPLITTING,
    });
  });

  it('POST /v1/vector_stores/{id} changes the name and the metadata, and keeps fields that the request omits', async () => {
    const { api } = used.tenant;
    const id = await createVectorStore(api, { metadata: { team: 'a' } });
    const updateVectorStore = async (body: object) =>
      (await api.post(`/v1/vector_stores/${id}`).send(body)).body as object;
    expect(await updateVectorStore({ name: 'New' })).toMatchObject({ name: 'New', metadata: { team: 'a' } });
    expect(await updateVectorStore({ metadata: { other: 'b' } })).toMatchObject({
      name: 'New',
      metadata: { other: 'b' },
    });
  });

  it('GET /v1/vector_stores lists the vector stores before or after an id, in ascending or descending order', async () => {
    const { api } = used.tenant;
    const [a, b, c] = [await createVectorStore(api), await createVectorStore(api), await createVectorStore(api)];
    const first = `vs_${used.datastore}`;
    expect(await listIds()).toEqual([c, b, a, first]);
    expect(await listIds({ order: 'asc', limit: 2 })).toEqual([first, a]);
    expect(await listIds({ after: c, limit: 2 })).toEqual([b, a]);
    expect(await listIds({ before: a, limit: 1 })).toEqual([b]);
    expect(await listIds({ before: first, after: c })).toEqual([b, a]);
    const page = await api.get('/v1/vector_stores').query({ limit: 1, before: a });
    expect(page.body).toMatchObject({ object: 'list', first_id: b, last_id: b, has_more: true });
  });

  it('DELETE /v1/vector_stores/{id} deletes the datastore, and keeps the uploaded files', async () => {
    const { api } = used.tenant;
    const file = await createFile(api);
    const id = await createVectorStore(api, { file_ids: [file] });
    expect((await api.delete(`/v1/vector_stores/${id}`)).body).toEqual({
      ...{ id, object: 'vector_store.deleted', deleted: true },
    });
    expect((await api.get(`/api/datastores/${toDatastoreId(id)}`)).status).toBe(404);
    expect((await api.get(`/v1/files/${file}`)).status).toBe(200);
  });

  it('a limited key can use only the vector stores that it is limited to, and cannot create vector stores', async () => {
    const other = await createDatastore(used.tenant.api);
    const limited = used.test.createApi((await used.tenant.addKey({ datastoreIds: [used.datastore] })).key);
    expect((await limited.get('/v1/vector_stores')).body).toMatchObject({ data: [{ id: `vs_${used.datastore}` }] });
    expect((await limited.get(`/v1/vector_stores/vs_${other}`)).status).toBe(404);
    expect((await limited.post('/v1/vector_stores').send({})).status).toBe(403);
  });

  it('POST /v1/vector_stores with file_ids also requires the scope `ingest`', async () => {
    const file = await createFile(used.tenant.api);
    const manager = used.test.createApi((await used.tenant.addKey({ scopes: ['manage'] })).key);
    expect((await manager.post('/v1/vector_stores').send({})).status).toBe(200);
    const refused = await manager.post('/v1/vector_stores').send({ file_ids: [file] });
    expect([refused.status, refused.body]).toMatchObject([403, { error: { code: 'insufficient_scope' } }]);
  });

  it('repeated requests to create a vector store with the same Idempotency-Key create one vector store', async () => {
    const file = await createFile(used.tenant.api);
    const sendRequest = () =>
      used.tenant.api
        .post('/v1/vector_stores')
        .send({ file_ids: [file] })
        .set('Idempotency-Key', 'store-1');
    const first = await sendRequest();
    expect((await sendRequest()).body).toEqual(first.body);
    expect(await listIds()).toHaveLength(2);
  });

  const createStrategy = (size: number, overlap: number) => ({
    chunking_strategy: {
      ...{ type: 'static', static: { max_chunk_size_tokens: size, chunk_overlap_tokens: overlap } },
    },
  });

  it.each([
    [{ expires_after: { anchor: 'last_active_at', days: 366 } }, 'expires_after.days', 'invalid_value'],
    [{ expires_after: { anchor: 'created_at', days: 1 } }, 'expires_after.anchor', 'invalid_value'],
    [{ made_up: 1 }, 'made_up', 'unknown_parameter'],
    [{ metadata: { a: 1 } }, 'metadata.a', 'invalid_value'],
    [{ metadata: { a: 'x'.repeat(513) } }, 'metadata.a', 'invalid_value'],
    [{ metadata: { ['x'.repeat(65)]: 'a' } }, 'metadata', 'invalid_value'],
    [createStrategy(50, 0), 'chunking_strategy.static.max_chunk_size_tokens', 'invalid_value'],
    [createStrategy(400, 300), 'chunking_strategy.static.chunk_overlap_tokens', 'invalid_value'],
    [{ chunking_strategy: { type: 'static' } }, 'chunking_strategy.static', 'invalid_value'],
    [{ file_ids: ['x'] }, 'file_ids', 'invalid_value'],
    [{ name: '' }, 'name', 'invalid_value'],
  ])('POST /v1/vector_stores refuses a body with %j, and names the parameter %s', async (body, param, code) => {
    const refused = await used.tenant.api.post('/v1/vector_stores').send(body);
    expect([refused.status, refused.body]).toMatchObject([400, { error: { param, code } }]);
  });

  it('POST /v1/vector_stores counts an emoji in metadata as one character', async () => {
    const metadata = { ['🔧'.repeat(64)]: '🔧'.repeat(512) };
    const created = await used.tenant.api.post('/v1/vector_stores').send({ metadata });
    expect([created.status, created.body]).toMatchObject([200, { metadata }]);
  });
});
