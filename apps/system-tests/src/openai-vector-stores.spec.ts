import OpenAI, { BadRequestError, NotFoundError, toFile } from 'openai';
import { expect, it } from 'vitest';
import { ROOT_KEY } from './quarry/quarry-process.js';
import { describeOnEachStack } from './quarry/stacks.js';

const TALE = 'Das Märchen beginnt: es war einmal, à la française, 从前.';
const POLL = { pollIntervalMs: 100 };
/** Bytes that begin like a PDF file, but cannot be read as one. */
const BROKEN = Buffer.from('%PDF-1.7 and no more');

describeOnEachStack('the vector stores of the SDK of OpenAI', {}, (quarry, stack) => {
  const connectClient = (apiKey = ROOT_KEY): OpenAI =>
    new OpenAI({ baseURL: new URL('/v1', stack().baseUrl).href, apiKey, maxRetries: 0 });

  it('OpenAI’s SDK creates, finds, lists, downloads and deletes files', async () => {
    const { files } = connectClient();
    const uploaded = await toFile(Buffer.from(TALE), 'Märchen.txt', { type: 'text/plain' });
    const file = await files.create({
      ...{ file: uploaded, purpose: 'assistants', expires_after: { anchor: 'created_at', seconds: 3_600 } },
    });
    expect(file).toMatchObject({ filename: 'Märchen.txt', bytes: Buffer.byteLength(TALE) });
    expect(await files.retrieve(file.id)).toEqual(file);
    expect(await files.waitForProcessing(file.id, { pollInterval: 100 })).toEqual(file);
    expect(await (await files.content(file.id)).text()).toBe(TALE);
    const other = await files.create({ file: await toFile(Buffer.from('x'), 'x.md'), purpose: 'user_data' });
    const listed: string[] = [];
    for await (const { id } of files.list({ order: 'asc', limit: 1 })) listed.push(id);
    expect(listed.slice(-2)).toEqual([file.id, other.id]);
    for (const { id } of [file, other]) expect(await files.delete(id)).toMatchObject({ deleted: true });
    await expect(files.retrieve(file.id)).rejects.toThrow(NotFoundError);
  });

  it('OpenAI’s SDK uploads a file in parts', async () => {
    const { files, uploads } = connectClient();
    const bytes = Buffer.from(TALE);
    const settings = { filename: 'tale.txt', bytes: bytes.length, mime_type: 'text/plain' };
    const upload = await uploads.create({ ...settings, purpose: 'assistants' });
    const partIds: string[] = [];
    for (const data of [bytes.subarray(0, 10), bytes.subarray(10)])
      partIds.push((await uploads.parts.create(upload.id, { data: await toFile(data, 'part') })).id);
    const { file, status } = await uploads.complete(upload.id, { part_ids: partIds });
    expect(status).toBe('completed');
    expect(await (await files.content(file?.id ?? '')).text()).toBe(TALE);
    const other = await uploads.create({ ...settings, purpose: 'user_data' });
    expect(await uploads.cancel(other.id)).toMatchObject({ status: 'cancelled' });
  });

  it('OpenAI’s SDK creates, finds, changes, lists and deletes vector stores', async () => {
    const { vectorStores } = connectClient();
    const store = await vectorStores.create({ name: 'Tales', metadata: { team: 'a' } });
    expect(await vectorStores.retrieve(store.id)).toEqual(store);
    expect(await vectorStores.update(store.id, { name: 'Märchen' })).toMatchObject({
      ...{ name: 'Märchen', metadata: { team: 'a' } },
    });
    const expires_after = { anchor: 'last_active_at', days: 7 } as const;
    const other = await vectorStores.create({ expires_after });
    expect(other).toMatchObject({ expires_after, expires_at: (other.last_active_at ?? 0) + 7 * 86_400 });
    const listed: string[] = [];
    for await (const { id } of vectorStores.list({ limit: 1 })) listed.push(id);
    expect(listed.slice(0, 2)).toEqual([other.id, store.id]);
    for (const { id } of [store, other]) expect(await vectorStores.delete(id)).toMatchObject({ deleted: true });
    await expect(vectorStores.retrieve(store.id)).rejects.toThrow(NotFoundError);
  });

  it('a vector store indexes files, reports unreadable files, and returns the text of files', async () => {
    const { files, vectorStores } = connectClient();
    const { id: tale } = await files.create({ file: await toFile(Buffer.from(TALE), 'a.txt'), purpose: 'assistants' });
    const { id: store } = await vectorStores.create({ file_ids: [tale] });
    const poll = { vector_store_id: store };
    expect(await vectorStores.files.poll(store, tale, POLL)).toMatchObject({ id: tale, status: 'completed' });
    const text: string[] = [];
    for await (const part of vectorStores.files.content(tale, poll)) text.push(part.text ?? '');
    expect(text).toEqual([TALE]);
    const broken = await vectorStores.files.uploadAndPoll(store, await toFile(BROKEN, 'broken.pdf'), POLL);
    expect(broken).toMatchObject({ status: 'failed', last_error: { code: 'invalid_file' } });
    const uploaded = await vectorStores.files.upload(store, await toFile(Buffer.from('More.'), 'b.txt'));
    await vectorStores.files.createAndPoll(store, { file_id: tale, attributes: { year: 1812 } }, POLL);
    expect(await vectorStores.files.retrieve(tale, poll)).toMatchObject({ attributes: { year: 1812 } });
    await vectorStores.files.update(tale, { ...poll, attributes: { year: 1857 } });
    expect(await vectorStores.files.poll(store, tale, POLL)).toMatchObject({ attributes: { year: 1857 } });
    expect(await vectorStores.files.poll(store, uploaded.id, POLL)).toMatchObject({ status: 'completed' });
    expect(await vectorStores.retrieve(store)).toMatchObject({ file_counts: { completed: 2, failed: 1, total: 3 } });
    const removed: string[] = [];
    for await (const { id } of vectorStores.files.list(store, { limit: 1, filter: 'completed' })) {
      removed.push((await vectorStores.files.delete(id, poll)).id);
    }
    expect(removed).toEqual([uploaded.id, tale]);
    expect((await files.retrieve(tale)).id).toBe(tale);
  });

  it('a vector store search accepts filters on attributes, and one or several queries', async () => {
    const { files, vectorStores } = connectClient();
    const uploads = ['The rent of Anna is high.', 'The rent of Ben is low.', 'The garden of Ben is large.'];
    const ids: string[] = [];
    for (const [index, text] of uploads.entries()) {
      const file = await toFile(Buffer.from(text), `${index}.txt`);
      ids.push((await files.create({ file, purpose: 'assistants' })).id);
    }
    const [anna = '', ben = '', garden = ''] = ids;
    const { id: store } = await vectorStores.create({});
    const attached = [
      { file_id: anna, attributes: { tenant: 'anna', floor: 1 } },
      { file_id: ben, attributes: { tenant: 'ben', floor: 2, paid: true } },
    ];
    const batch = await vectorStores.fileBatches.createAndPoll(store, { files: attached }, POLL);
    expect(batch).toMatchObject({ status: 'completed', file_counts: { completed: 2, total: 2 } });
    const findTexts = async (query: string | string[], filters?: OpenAI.ComparisonFilter | OpenAI.CompoundFilter) => {
      const found: string[] = [];
      const request = { query, ...(filters !== undefined && { filters }) };
      for await (const { file_id: id } of vectorStores.search(store, request)) found.push(id);
      return found.toSorted();
    };
    const isBen = { type: 'eq', key: 'tenant', value: 'ben' } as const;
    const isHigh = { type: 'gte', key: 'floor', value: 2 } as const;
    expect(await findTexts('rent')).toEqual([anna, ben].toSorted());
    expect(await findTexts('rent', isBen)).toEqual([ben]);
    expect(await findTexts('rent', { type: 'ne', key: 'tenant', value: 'ben' })).toEqual([anna]);
    expect(await findTexts('rent', { type: 'and', filters: [isBen, isHigh] })).toEqual([ben]);
    expect(
      await findTexts('rent', { type: 'or', filters: [{ type: 'lt', key: 'floor', value: 2 }, isHigh] }),
    ).toHaveLength(2);
    expect(await findTexts('rent', { type: 'in', key: 'tenant', value: ['ben', 'cleo'] })).toEqual([ben]);
    expect(await findTexts('rent', { type: 'nin', key: 'tenant', value: ['ben', 'cleo'] })).toEqual([anna]);
    expect(await findTexts('rent', { type: 'gt', key: 'floor', value: 2 })).toEqual([]);
    expect(await findTexts('rent', { type: 'lte', key: 'floor', value: 1 })).toEqual([anna]);
    expect(await findTexts('rent', { type: 'eq', key: 'paid', value: true })).toEqual([ben]);
    expect(await findTexts(['Anna', 'Ben'])).toEqual([anna, ben].toSorted());
    const ranked = await vectorStores.search(store, {
      ...{ query: 'Anna', max_num_results: 1, ranking_options: { ranker: 'auto', score_threshold: 0 } },
    });
    expect(ranked.data).toMatchObject([
      { file_id: anna, filename: '0.txt', attributes: { tenant: 'anna' }, content: [{ text: uploads[0] }] },
    ]);
    // The SDK's type of a result page lacks the field `search_query`.
    const original = await vectorStores.search(store, { query: 'rent', rewrite_query: true }).asResponse();
    expect(await original.json()).toMatchObject({
      ...{ search_query: ['rent'], notes: ['not_rewritten'], data: [{}, {}] },
    });
    await vectorStores.files.update(anna, { vector_store_id: store, attributes: { tenant: 'ben' } });
    await vectorStores.files.poll(store, anna, POLL);
    expect(await findTexts('rent', isBen)).toEqual([anna, ben].toSorted());
    await vectorStores.files.createAndPoll(store, { file_id: garden, attributes: { tenant: 'ben' } }, POLL);
    expect(await findTexts('garden', isBen)).toEqual([garden]);
  });

  it('files are added to a vector store as batches, which can be cancelled and listed', async () => {
    const { vectorStores } = connectClient();
    const { fileBatches } = vectorStores;
    const { id: store } = await vectorStores.create({});
    const batch = await fileBatches.uploadAndPoll(
      store,
      {
        files: [await toFile(Buffer.from('One.'), 'a.txt'), await toFile(BROKEN, 'broken.pdf')],
      },
      POLL,
    );
    expect(batch).toMatchObject({ status: 'completed', file_counts: { completed: 1, failed: 1, total: 2 } });
    const params = { vector_store_id: store };
    const listed: OpenAI.VectorStores.VectorStoreFile[] = [];
    for await (const file of fileBatches.listFiles(batch.id, { ...params, limit: 1, order: 'asc' })) listed.push(file);
    expect(listed.map(({ status }) => status)).toHaveLength(2);
    const again = await fileBatches.create(store, { file_ids: listed.map(({ id }) => id) });
    const cancelled = await fileBatches.cancel(again.id, params);
    expect(cancelled.file_counts).toMatchObject({ in_progress: 0, total: 2 });
    expect(await fileBatches.retrieve(again.id, params)).toEqual(cancelled);
    expect(await fileBatches.poll(store, again.id, POLL)).toEqual(cancelled);
  });

  it('unsupported values of parameters are refused, and a vector store of another organization is not found', async () => {
    const { files, vectorStores } = connectClient();
    const batch = files.create({ file: await toFile(Buffer.from('x'), 'x.txt'), purpose: 'batch' });
    await expect(batch).rejects.toThrow(BadRequestError);
    const { id: store } = await vectorStores.create({});
    const noRanker = vectorStores.search(store, { query: 'q', ranking_options: { ranker: 'none' } });
    await expect(noRanker).rejects.toMatchObject({ param: 'ranking_options.ranker', code: 'invalid_value' });
    const { apiKey } = await quarry().createOrganization({ name: 'Other' });
    await expect(connectClient(apiKey).vectorStores.retrieve(store)).rejects.toThrow(NotFoundError);
  });
});
