import { DEFAULT_SPLITTING, type IndexDocument, MAX_PAGE_SIZE, type StatusChanged } from '@quarry/contracts';
import { silentLog } from '@quarry/queue/testing';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { datasources } from '../../../database/tables/datasources.js';
import { handleStatusesChanged } from '../../../runs/update/run-events.js';
import { listBlobs } from '../../../testing/blobs.js';
import { publishAndListIngestionJobs } from '../../../testing/jobs.js';
import { createFile, createFileBatch, createVectorStore } from '../../../testing/create-files.js';
import { createSite, uploadText } from '../../../testing/create-resources.js';
import { setUpTenant } from '../../../testing/set-up-tenant.js';

const used = setUpTenant();

const attachFile = (store: string, body: object) => used.tenant.api.post(`/v1/vector_stores/${store}/files`).send(body);
const getFile = async (store: string, file: string) =>
  (await used.tenant.api.get(`/v1/vector_stores/${store}/files/${file}`)).body as object;
const listIds = async (store: string, query: object = {}): Promise<string[]> => {
  const response = await used.tenant.api.get(`/v1/vector_stores/${store}/files`).query(query);
  return (response.body as { data: { id: string }[] }).data.map(({ id }) => id);
};

/** Upserts a text to the datastore of the current test. @returns the id of its datasource */
async function upsertText(document: object): Promise<string> {
  const response = await used.tenant.api
    .post(`/api/datastores/upsert/${used.datastore}`)
    .send({ documents: [document] });
  return (response.body as { ids: string[] }).ids[0] ?? ''; // as documented
}

/** Returns the latest ingestion job of the organization. */
async function findLatestJob(): Promise<IndexDocument> {
  const { payload } = (await publishAndListIngestionJobs(used.test, used.tenant.organizationId)).at(-1) ?? {};
  if (payload === undefined || !('runId' in payload)) throw new Error('expected a job that indexes a file, found none');
  return payload as IndexDocument; // removal jobs have no run
}

/** Ends the run of the latest ingestion job. */
async function endLatestRun(end: Pick<StatusChanged, 'status'> & Partial<StatusChanged>): Promise<void> {
  const { datasourceId, runId } = await findLatestJob();
  const event = { datasourceId, runId, sequence: 1, at: '2026-06-01T12:00:00.000Z', ...end };
  await handleStatusesChanged(used.test.gateway, [event], { log: silentLog });
}

describe('/v1/vector_stores/{id}/files', () => {
  it('POST /v1/vector_stores/{id}/files copies a file into the datastore of the vector store, and indexes the copy with the given attributes', async () => {
    const { api, organizationId } = used.tenant;
    const file = await createFile(api, 'Es war einmal', 'Märchen.txt');
    const store = await createVectorStore(api);
    const body: unknown = (
      await attachFile(store, { file_id: file, attributes: { year: 1812, lang: 'de', old: true } })
    ).body;
    expect(body).toMatchObject({
      ...{ id: file, object: 'vector_store.file', vector_store_id: store, usage_bytes: 13, last_error: null },
      ...{ status: 'in_progress', attributes: { year: 1812, lang: 'de', old: true } },
      chunking_strategy: {
        static: {
          max_chunk_size_tokens: DEFAULT_SPLITTING.maxTokens,
          chunk_overlap_tokens: DEFAULT_SPLITTING.overlapTokens,
        },
      },
    });
    expect(await findLatestJob()).toMatchObject({
      name: 'Märchen.txt',
      mimeType: 'text/plain',
      metadata: { year: 1812 },
    });
    expect(listBlobs(used.test, organizationId)).toHaveLength(2);
    await endLatestRun({ status: 'synched' });
    expect(await getFile(store, file)).toEqual({ ...(body as object), status: 'completed' });
  });

  it.each([
    [{ status: 'error', code: 'file_encrypted', message: 'Locked.' }, 'failed', 'invalid_file'],
    [{ status: 'error', code: 'file_type_mismatch', message: 'No PDF.' }, 'failed', 'unsupported_file'],
    [{ status: 'usage_limit_reached', code: 'usage_limit_reached', message: 'Full.' }, 'failed', 'server_error'],
  ] as const)('a run that ended with %j gives the file the status %s', async (end, status, code) => {
    const store = await createVectorStore(used.tenant.api, { file_ids: [await createFile(used.tenant.api)] });
    await endLatestRun(end);
    const [id = ''] = await listIds(store);
    expect(await getFile(store, id)).toMatchObject({ status, last_error: { code, message: end.message } });
    expect((await used.tenant.api.get(`/v1/vector_stores/${store}`)).body).toMatchObject({
      ...{ status: 'completed', file_counts: { in_progress: 0, failed: 1, total: 1 } },
    });
  });

  it('GET /v1/vector_stores/{id}/files lists datasources of every type and status as files, or only those with a given status', async () => {
    const { api } = used.tenant;
    const store = `vs_${used.datastore}`;
    const text = `file-${await uploadText(api, used.datastore)}`;
    const site = `file-${await createSite(api, used.datastore)}`;
    await api.post(`/api/datasources/${text.slice('file-'.length)}/cancel`);
    expect(await listIds(store)).toEqual([site, text]);
    expect(await listIds(store, { filter: 'cancelled' })).toEqual([text]);
    expect(await listIds(store, { filter: 'in_progress' })).toEqual([site]);
    expect(await listIds(store, { filter: 'failed' })).toEqual([]);
  });

  it('if `after` or `before` is the id of a removed file, the list of files continues from the former place of that file', async () => {
    const { api } = used.tenant;
    const ids = [await createFile(api), await createFile(api), await createFile(api)];
    const store = await createVectorStore(api, { file_ids: ids });
    const [a, b = '', c] = ids;
    expect(await listIds(store)).toEqual([c, b, a]);
    await api.delete(`/v1/vector_stores/${store}/files/${b}`);
    expect(await listIds(store, { after: b })).toEqual([a]);
    expect(await listIds(store, { before: b })).toEqual([c]);
  });

  it('files of the same name in a vector store do not replace each other, and adding a file again replaces the copy of that file', async () => {
    const { api } = used.tenant;
    const store = await createVectorStore(api);
    const [one, other] = [await createFile(api, 'one'), await createFile(api, 'other')];
    const datasourceIds: string[] = [];
    for (const file_id of [one, other, one]) {
      await attachFile(store, { file_id, attributes: { a: 1 } });
      datasourceIds.push((await findLatestJob()).datasourceId);
    }
    expect(await listIds(store)).toEqual([other, one]);
    await attachFile(store, { file_id: one });
    expect(await getFile(store, one)).toMatchObject({ attributes: {} });
    const [first, second, third] = datasourceIds;
    expect(third).toBe(first);
    expect(second).not.toBe(first);
  });

  it('a file can be in several vector stores, and removing it from one of them does not affect the others', async () => {
    const { api } = used.tenant;
    const file = await createFile(api, 'some text');
    const stores = [
      await createVectorStore(api, { file_ids: [file] }),
      await createVectorStore(api, { file_ids: [file] }),
    ] as const;
    const removed = await api.delete(`/v1/vector_stores/${stores[0]}/files/${file}`);
    expect(removed.body).toEqual({ id: file, object: 'vector_store.file.deleted', deleted: true });
    expect((await api.get(`/v1/vector_stores/${stores[0]}/files/${file}`)).status).toBe(404);
    expect(await getFile(stores[1], file)).toMatchObject({ id: file });
    expect((await api.get(`/v1/files/${file}/content`)).text).toBe('some text');
  });

  it('changing the attributes of a file starts a run that indexes the file again, and setting equal attributes starts no run', async () => {
    const { api } = used.tenant;
    const file = await createFile(api);
    const store = await createVectorStore(api, { file_ids: [file] });
    await endLatestRun({ status: 'synched' });
    const updateVectorStoreFile = async (body: object) =>
      api.post(`/v1/vector_stores/${store}/files/${file}`).send(body);
    expect((await updateVectorStoreFile({ attributes: {} })).body).toMatchObject({ status: 'completed' });
    expect((await updateVectorStoreFile({ attributes: { a: 1 } })).body).toMatchObject({
      status: 'in_progress',
      attributes: { a: 1 },
    });
    expect(await findLatestJob()).toMatchObject({ metadata: { a: 1 } });
    expect((await updateVectorStoreFile({ attributes: null })).body).toMatchObject({ attributes: {} });
    expect((await updateVectorStoreFile({})).body).toMatchObject({ error: { param: 'attributes' } });
  });

  it('setting attributes of an upserted text keeps metadata whose values cannot be attributes, such as lists', async () => {
    const { api } = used.tenant;
    const documents = [{ text: 'x', name: 'x', metadata: { tags: ['a', 'b'], year: 1812 } }];
    const body: unknown = (await api.post(`/api/datastores/upsert/${used.datastore}`).send({ documents })).body;
    const path = `/v1/vector_stores/vs_${used.datastore}/files/file-${(body as { ids: string[] }).ids[0] ?? ''}`;
    expect((await api.get(path)).body).toMatchObject({ attributes: { year: 1812 } });
    await api.post(path).send({ attributes: { lang: 'de' } });
    const metadata = { tags: ['a', 'b'], lang: 'de' };
    expect((await findLatestJob()).metadata).toEqual(metadata);
    const { datasourceId } = await findLatestJob();
    const shown: unknown = (await api.get(`/api/datasources/${datasourceId}`)).body;
    expect(shown).toHaveProperty('config.metadata', metadata);
  });

  it('adding an upserted text to another vector store indexes it as plain text, whatever extension its name has', async () => {
    const { api } = used.tenant;
    const id = await upsertText({ text: 'x', name: 'report.pdf' });
    const store = await createVectorStore(api);
    expect((await attachFile(store, { file_id: `file-${id}` })).status).toBe(200);
    const { datasourceId, ...job } = await findLatestJob();
    expect(job).toMatchObject({ name: 'report.pdf.txt', mimeType: 'text/plain' });
    expect((await api.get(`/api/datasources/${datasourceId}`)).body).toMatchObject({ name: 'report.pdf' });
  });

  it('adding a datasource to its own vector store replaces the attributes of the datasource, and does not copy it', async () => {
    const { api } = used.tenant;
    const store = `vs_${used.datastore}`;
    const text = { text: 'some text', id: '7', name: 'x', metadata: { tags: ['a'], year: 1812 } };
    const ids = [await uploadText(api, used.datastore, 'some text'), await upsertText(text)];
    for (const id of ids) {
      const file_id = `file-${id}`;
      const added = await attachFile(store, { file_id, attributes: { lang: 'de' } });
      expect(added.body).toMatchObject({ id: file_id, status: 'in_progress', attributes: { lang: 'de' } });
      expect(await findLatestJob()).toMatchObject({ datasourceId: id, metadata: { lang: 'de' } });
      expect((await api.get(`/v1/files/${file_id}/content`)).text).toBe('some text');
    }
    expect((await findLatestJob()).metadata).toEqual({ tags: ['a'], lang: 'de' });
    expect(await listIds(store, { order: 'asc' })).toEqual(ids.map((id) => `file-${id}`));
    expect(await upsertText(text)).toBe(ids[1]);
    const batch = await createFileBatch(
      api,
      store,
      ids.map((id) => `file-${id}`),
    );
    expect((await api.get(`/v1/vector_stores/${store}/file_batches/${batch}`)).body).toMatchObject({
      file_counts: { total: 2 },
    });
  });

  it('GET /v1/vector_stores/{id}/files/{fileId}/content returns the text of all fragments in one response', async () => {
    const { api } = used.tenant;
    const file = await createFile(api);
    const store = await createVectorStore(api, { file_ids: [file] });
    const { datasourceId } = await findLatestJob();
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
    const texts = Array.from({ length: 2 * MAX_PAGE_SIZE + 1 }, (_, ordinal) => `"Passage" ${ordinal}`);
    used.test.query.stored = texts.map((text, ordinal) => ({
      ...{ fragmentId: String(ordinal), documentKey: row?.documentKey ?? '', ordinal, text, tokens: 1 },
      ...{ page: null, location: null, rectangles: [], context: '' },
    }));
    const response = await api.get(`/v1/vector_stores/${store}/files/${file}/content`);
    expect(response.type).toBe('application/json');
    expect(response.body).toEqual({
      object: 'vector_store.file_content.page',
      data: texts.map((text) => ({ type: 'text', text })),
      ...{ has_more: false, next_page: null },
    });
  });

  it('GET /v1/vector_stores/{id}/files/{fileId}/content returns 503 while the query service is unavailable', async () => {
    const { api } = used.tenant;
    const file = await createFile(api);
    const store = await createVectorStore(api, { file_ids: [file] });
    used.test.query.refusal = { status: 503, body: { code: 'dependency_unavailable', detail: 'Later.' } };
    expect((await api.get(`/v1/vector_stores/${store}/files/${file}/content`)).status).toBe(503);
  });

  it('GET /v1/vector_stores/{id}/files/{fileId}/content returns an empty page for a file without fragments', async () => {
    const { api } = used.tenant;
    const file = await createFile(api);
    const store = await createVectorStore(api, { file_ids: [file] });
    used.test.query.stored = [];
    expect((await api.get(`/v1/vector_stores/${store}/files/${file}/content`)).body).toEqual({
      ...{ object: 'vector_store.file_content.page', data: [], has_more: false, next_page: null },
    });
  });

  it('the API refuses to add a file whose chunking strategy differs from that of the vector store, to add a web site to another vector store, and to set attributes of a web site', async () => {
    const { api } = used.tenant;
    const store = `vs_${used.datastore}`;
    const file_id = await createFile(api);
    const createStrategy = (size: number) => ({
      ...{ type: 'static', static: { max_chunk_size_tokens: size, chunk_overlap_tokens: 64 } },
    });
    expect((await attachFile(store, { file_id, chunking_strategy: createStrategy(512) })).status).toBe(200);
    expect((await attachFile(store, { file_id, chunking_strategy: createStrategy(600) })).body).toMatchObject({
      error: { param: 'chunking_strategy', code: 'invalid_value' },
    });
    const site = `file-${await createSite(api, used.datastore)}`;
    const other = await createVectorStore(api);
    expect((await attachFile(other, { file_id: site })).body).toMatchObject({ error: { code: 'no_original' } });
    const refused = await api.post(`/v1/vector_stores/${store}/files/${site}`).send({ attributes: { a: 1 } });
    expect(refused.body).toMatchObject({ error: { param: 'attributes' } });
    expect(await listIds(other)).toEqual([]);
  });
});
