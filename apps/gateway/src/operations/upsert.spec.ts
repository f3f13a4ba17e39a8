import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { datasources } from '../database/tables/datasources.js';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';
import { computeIdentityKey } from '../datasources/document-identity.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { publishAndListIngestionJobs } from '../testing/jobs.js';
import { createDatastore, getStringField, uploadText } from '../testing/create-resources.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { WAITING_CONNECTIONS } from '../testing/waiting-connections.js';

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

const postDocuments = (documents: unknown) =>
  tenant.api.post(`/api/datastores/upsert/${datastore}`).send({ documents });

async function upsertAndGetIds(documents: unknown): Promise<readonly string[]> {
  const response = await postDocuments(documents);
  expect(response.status).toBe(200);
  return (response.body as { ids: string[] }).ids;
}

describe('POST /api/datastores/upsert/{datastoreId}', () => {
  it('a custom id of 255 characters is accepted for texts and for files, whatever the characters', async () => {
    const customId = '😀'.repeat(255);
    await upsertAndGetIds([{ text: 'a', metadata: { custom_id: customId } }]);
    const path = `/api/external/datastores/file-upload/${datastore}`;
    const uploaded = await tenant.api.post(path).field('custom_id', customId).attach('file', Buffer.from('x'), 'a.txt');
    expect(uploaded.body).toMatchObject({ customId });
    const refused = await postDocuments([{ text: 'a', metadata: { custom_id: `${customId}😀` } }]);
    expect(getStringField(refused, 'detail')).toBe(
      'documents.0.metadata.custom_id must have at most 255 characters, found 256.',
    );
  });

  it('an upsert creates a datasource for each document, and returns their ids in order', async () => {
    const metadata = { source: 'https://example.com/a', author: 'A', date: '2026-01-02', nested: { deep: [1] } };
    const ids = await upsertAndGetIds([
      { text: 'first text', name: 'First', metadata },
      { text: 'second text', name: 'Second', extra: 'ignored' },
    ]);
    expect(new Set(ids).size).toBe(2);
    const shown = await tenant.api.get(`/api/datasources/${String(ids[0])}`);
    expect(shown.body).toMatchObject({
      type: 'document',
      name: 'First',
      status: 'pending',
      customId: null,
      config: { metadata },
    });
    const jobs = await publishAndListIngestionJobs(test, tenant.organizationId);
    expect(jobs.map(({ payload }) => payload)).toMatchObject([
      {
        datasourceId: ids[0],
        documentKey: ids[0],
        name: 'First',
        source: metadata.source,
        metadata,
        mimeType: 'text/plain',
      },
      { datasourceId: ids[1], documentKey: ids[1], name: 'Second' },
    ]);
    const [first] = jobs;
    if (first?.name !== 'index-document') throw new Error('expected the first job to index a document');
    expect(await test.blobs.readText(first.payload.blobKey)).toBe('first text');
  });

  it('an upsert identifies a document by id, else by source, else by custom id and name', async () => {
    const group = { custom_id: 'c' };
    const documents = [
      { text: 'a', id: 'i', name: 'n', metadata: { ...group, source: 'https://a.example' } },
      { text: 'b', name: 'n', metadata: { ...group, source: 'https://a.example' } },
      { text: 'c', name: 'n', metadata: { ...group, source: 'https://b.example' } },
      { text: 'd', name: 'n', metadata: group },
      { text: 'e', name: 'o', metadata: group },
      { text: 'f', name: 'n' },
    ];
    const ids = await upsertAndGetIds(documents);
    expect(new Set(ids).size).toBe(documents.length);
    expect(await upsertAndGetIds(documents.map((document) => ({ ...document, text: 'changed' })))).toEqual(ids);
    const renamed = [
      { text: 'a', id: 'i', name: 'other' },
      { text: 'b', name: 'other', metadata: { source: 'https://a.example' } },
    ];
    expect(await upsertAndGetIds(renamed)).toEqual(ids.slice(0, 2));
    const shown = await tenant.api.get(`/api/datasources/${String(ids[1])}`);
    expect(shown.body).toMatchObject({ name: 'other', customId: null });
  });

  it('GET /api/datasources finds a text by `documentId`, even after an upsert with the id of its datasource has replaced the text', async () => {
    const [first = ''] = await upsertAndGetIds([
      { id: '7', text: 'seven' },
      { id: '77', text: 'more' },
    ]);
    await upsertAndGetIds([{ id: first, text: 'the number seven' }]);
    const findDocuments = async (query: object) => tenant.api.get('/api/datasources').query(query);
    const found = await findDocuments({ datastoreId: datastore, documentId: '7' });
    expect(found.body).toMatchObject({ items: [{ id: first, config: { documentId: '7' } }], next_cursor: null });
    expect(
      (await findDocuments({ datastoreId: await createDatastore(tenant.api), documentId: '7' })).body,
    ).toMatchObject({
      items: [],
    });
    expect((await findDocuments({ documentId: '7' })).body).toMatchObject({ errors: [{ path: 'documentId' }] });
  });

  it.each([
    ['text', {}, {}],
    ['name', { name: 'one' }, { name: 'two' }],
    ['source', { metadata: { source: 'https://a.example' } }, { metadata: { source: 'https://b.example' } }],
    ['text instead of the source', { metadata: { source: 'https://a.example' } }, { metadata: { author: 'B' } }],
    ['name instead of the text', {}, { name: 'two' }],
  ])(
    'after an upsert with the id of a datasource, the new %s identifies the datasource, and the earlier value does not',
    async (_identity, before, after) => {
      const first = { text: 'A', ...before };
      const second = { text: 'B', ...after };
      const [id = ''] = await upsertAndGetIds([first]);
      expect(await upsertAndGetIds([{ ...second, id }])).toEqual([id]);
      const [other = ''] = await upsertAndGetIds([first]);
      expect(other).not.toBe(id);
      expect((await tenant.api.get(`/api/datasources/${id}/original`)).text).toBe('B');
      expect(await upsertAndGetIds([second])).toEqual([id]);
    },
  );

  it('an upsert with the id of a datasource keeps the identity that the request does not change', async () => {
    const named = { name: 'one', metadata: { custom_id: 'c' } };
    const ids = await upsertAndGetIds([
      { text: 'A', ...named },
      { text: 'A', id: 'i' },
    ]);
    await upsertAndGetIds(ids.map((id) => ({ id, text: 'B' })));
    const again = [
      { text: 'C', ...named },
      { text: 'C', id: 'i' },
    ];
    expect(await upsertAndGetIds(again)).toEqual(ids);
  });

  it('if an upsert gives a datasource the text of another datasource, only its own id identifies the datasource until the next such upsert', async () => {
    const [id = '', other = ''] = await upsertAndGetIds([{ text: 'A' }, { text: 'B' }]);
    expect(await upsertAndGetIds([{ id, text: 'B' }])).toEqual([id]);
    expect(await upsertAndGetIds([{ text: 'B' }])).toEqual([other]);
    const [third] = await upsertAndGetIds([{ text: 'A' }]);
    expect([id, other]).not.toContain(third);
    expect(await upsertAndGetIds([{ id, text: 'C' }])).toEqual([id]);
    expect(await upsertAndGetIds([{ text: 'C' }])).toEqual([id]);
  });

  it('the name in an upsert identifies the text, even if the datasource was renamed and an upsert with its id replaced the text', async () => {
    const [id = ''] = await upsertAndGetIds([{ text: 'A', name: 'old' }]);
    await tenant.api.patch(`/api/datasources/${id}`).send({ name: 'new' }).expect(200);
    expect(await upsertAndGetIds([{ id, text: 'B' }])).toEqual([id]);
    expect((await tenant.api.get(`/api/datasources/${id}`)).body).toMatchObject({ name: 'new', config: {} });
    expect(await upsertAndGetIds([{ text: 'C', name: 'old' }])).toEqual([id]);
    expect((await tenant.api.get(`/api/datasources/${id}`)).body).toHaveProperty('config', {});
  });

  it('the name of a text that an earlier version of Quarry stored identifies the text, even if the datasource was renamed', async () => {
    const [id = ''] = await upsertAndGetIds([{ text: 'A', name: 'old' }]);
    await test.gateway.db.update(datasources).set({ config: {} }).where(eq(datasources.id, id));
    for (const name of ['new', 'newer']) await tenant.api.patch(`/api/datasources/${id}`).send({ name }).expect(200);
    expect(await upsertAndGetIds([{ id, text: 'B' }])).toEqual([id]);
    expect(await upsertAndGetIds([{ text: 'C', name: 'old' }])).toEqual([id]);
  });

  it('an upsert can exchange the names of two datasources', async () => {
    const [one = '', two = ''] = await upsertAndGetIds([
      { text: 'A', name: 'one' },
      { text: 'B', name: 'two' },
    ]);
    const exchanged = [
      { text: 'A', name: 'two' },
      { text: 'B', name: 'one' },
    ];
    await upsertAndGetIds([
      { ...exchanged[0], id: one },
      { ...exchanged[1], id: two },
    ]);
    expect(await upsertAndGetIds(exchanged)).toEqual([one, two]);
  });

  it('an upsert can give the same source, name or text to several datasources by their ids', async () => {
    const ids = await upsertAndGetIds([{ text: 'A' }, { text: 'B' }]);
    const shared = [{ text: 'C' }, { text: 'D', metadata: { source: 's' } }, { text: 'E', name: 'n', metadata: {} }];
    for (const document of shared) {
      const documents = ids.map((id) => ({ ...document, id }));
      expect(await upsertAndGetIds(documents)).toEqual(ids);
      expect(await upsertAndGetIds(documents.toReversed())).toEqual(ids.toReversed());
      expect(await upsertAndGetIds([document])).toEqual([ids[0]]);
    }
  });

  it('an upsert is refused if one document replaces a datasource by its id, and another document has the new identity of that datasource', async () => {
    const [id = ''] = await upsertAndGetIds([{ text: 'A', name: 'one' }]);
    const pair = [
      { id, text: 'B' },
      { text: 'C', name: 'one' },
    ];
    for (const documents of [pair, pair.toReversed()]) {
      const refused = await postDocuments(documents);
      expect(refused.body).toMatchObject({ status: 400, errors: [{ path: 'documents.1' }] });
    }
    expect((await tenant.api.get(`/api/datasources/${id}/original`)).text).toBe('A');
  });

  it('an upsert with the id of a datasource replaces that datasource, even if its id is also the client id of another text', async () => {
    const [id = '', sameText = '', other = ''] = await upsertAndGetIds([{ text: 'B' }, { text: 'C' }, { text: 'A' }]);
    const identity = computeIdentityKey({ kind: 'document', id });
    await test.gateway.db.update(datasources).set({ identity }).where(eq(datasources.id, other));
    expect(await upsertAndGetIds([{ id, text: 'C' }])).toEqual([id]);
    const texts = [other, sameText, id].map(
      async (each) => (await tenant.api.get(`/api/datasources/${each}/original`)).text,
    );
    expect(await Promise.all(texts)).toEqual(['A', 'C', 'C']);
  });

  it('an upsert with the id of a datasource keeps the name that a concurrent request gives to the datasource', async () => {
    const [id = ''] = await upsertAndGetIds([{ text: 'A', name: 'before' }]);
    const { upserted } = await test.gateway.db.transaction(async (tx) => {
      await tx.update(datasources).set({ name: 'after' }).where(eq(datasources.id, id));
      const ids = upsertAndGetIds([{ id, text: 'B' }]);
      await expectEventually(async () => (await tx.execute(WAITING_CONNECTIONS)).rows.length).toBe(1);
      return { upserted: ids };
    });
    expect(await upserted).toEqual([id]);
    expect((await tenant.api.get(`/api/datasources/${id}`)).body).toMatchObject({ name: 'after' });
  });

  it('parallel upserts of the same texts, with and without the ids of datasources, succeed', async () => {
    const texts = ['A', 'B', 'C', 'D'];
    const ids = await upsertAndGetIds(texts.map((text) => ({ text })));
    const responses = await Promise.all(
      Array.from({ length: 8 }, async (_, round) =>
        postDocuments(
          ids.map((id, index) => ({ text: `${String(index)} ${String(round >> 1)}`, ...(round % 2 === 0 && { id }) })),
        ),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it('an upsert does not replace a file with the same name, or a web page with the same address', async () => {
    const file = await uploadText(tenant.api, datastore, 'uploaded', 'handbook.txt');
    const address = 'https://example.com/handbook';
    const page = await tenant.api
      .post('/api/datasources')
      .send({ type: 'web_page', datastoreId: datastore, name: 'page', config: { source_url: address } });
    expect(page.status).toBe(201);
    const texts = await upsertAndGetIds([
      { text: 'a', name: 'handbook.txt' },
      { text: 'b', id: 'handbook.txt' },
      { text: 'c', id: address },
      { text: 'd', metadata: { source: address } },
    ]);
    expect(new Set([...texts, file, getStringField(page, 'id')]).size).toBe(6);
    expect(await uploadText(tenant.api, datastore, 'again', 'handbook.txt')).toBe(file);
    expect((await tenant.api.get(`/api/datasources/${file}`)).body).toMatchObject({ type: 'file' });
  });

  it('an upsert derives the name of a text without splitting a surrogate pair', async () => {
    const [id] = await upsertAndGetIds([{ text: `a${'😀'.repeat(100)}` }]);
    const shown = await tenant.api.get(`/api/datasources/${String(id)}`);
    expect(shown.body).toMatchObject({ name: `a${'😀'.repeat(19)}…` });
  });

  it('the error of a refused upsert contains the beginning of a long value, without splitting a surrogate pair', async () => {
    const refused = await postDocuments([{ text: 'x', metadata: { custom_id: [`a${'😀'.repeat(100)}`] } }]);
    expect(refused.status).toBe(400);
    expect(refused.text).not.toMatch(/\\ud83d/);
  });

  it('an upsert identifies a document that has only a text by that text, and names it by the beginning of the text', async () => {
    const long = `\n  ${'word '.repeat(40)}\nmore`;
    const [short, other, cut] = await upsertAndGetIds([{ text: 'Hello.\nWorld' }, { text: 'Bye.' }, { text: long }]);
    expect(new Set([short, other, cut]).size).toBe(3);
    for (const name of ['', ' ']) expect(await upsertAndGetIds([{ text: 'Bye.', name }])).toEqual([other]);
    const names = [short, cut].map(
      async (id) => (await tenant.api.get(`/api/datasources/${String(id)}`)).body as unknown,
    );
    expect(await Promise.all(names)).toMatchObject([{ name: 'Hello.' }, { name: `${'word '.repeat(15)}word…` }]);
  });

  it('an upsert accepts a number as custom id, and stores it as a string', async () => {
    const [id] = await upsertAndGetIds([{ text: 'a', name: 'n', metadata: { custom_id: 4711 } }]);
    expect((await tenant.api.get(`/api/datasources/${String(id)}`)).body).toMatchObject({ customId: '4711' });
  });

  it.each([
    [{ text: 'a', id: 'i' }, { text: 'b', id: 'i', name: 'n' }, 'the id "i"'],
    [
      { text: 'a', name: 'a', metadata: { source: 's' } },
      { text: 'b', name: 'b', metadata: { source: 's' } },
      'the source "s"',
    ],
    [{ text: 'a', name: 'n' }, { text: 'b', name: 'n' }, 'the name "n"'],
    [
      { text: 'a', name: 'n', metadata: { custom_id: 'c' } },
      { text: 'b', name: 'n', metadata: { custom_id: 'c' } },
      'the custom id "c", the name "n"',
    ],
    [{ text: 'a' }, { text: 'a' }, 'the same text'],
  ])('an upsert refuses two documents with the same identity in one request: %j and %j', async (one, other, found) => {
    const response = await postDocuments([one, { text: 'between', name: 'between' }, other]);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'documents.2' }] });
    expect(getStringField(response, 'detail')).toContain('must not have the same identity as documents.0');
    expect(getStringField(response, 'detail')).toContain(found);
    expect(await publishAndListIngestionJobs(test, tenant.organizationId)).toEqual([]);
  });

  it('an upsert accepts 500 documents, and an upsert of the same documents in reverse order replaces them', async () => {
    const documents = Array.from({ length: 500 }, (_, index) => ({ text: `text ${index}`, name: `doc ${index}` }));
    const ids = await upsertAndGetIds(documents);
    expect(new Set(ids).size).toBe(500);
    expect(await publishAndListIngestionJobs(test, tenant.organizationId)).toHaveLength(500);
    expect(await upsertAndGetIds(documents.toReversed())).toEqual(ids.toReversed());
    expect(await publishAndListIngestionJobs(test, tenant.organizationId)).toHaveLength(1_000);
  });

  it('parallel upserts of the same documents in different orders succeed', async () => {
    const documents = Array.from({ length: 40 }, (_, index) => ({ text: `text ${index}`, name: `doc ${index}` }));
    const all = await Promise.all(
      [documents, documents.toReversed(), documents, documents.toReversed()].map(async (each) => upsertAndGetIds(each)),
    );
    const [first = [], second] = all;
    expect(second?.toReversed()).toEqual(first);
    expect(new Set(first).size).toBe(40);
  });

  it('an upsert accepts an empty list of documents', async () => {
    expect(await upsertAndGetIds([])).toEqual([]);
  });

  it.each([
    [undefined, 'documents'],
    ['text', 'documents'],
    [[{ text: 'a', name: 'a' }, { name: 'b' }], 'documents.1.text'],
    [[{ text: '', name: 'a' }], 'documents.0.text'],
    [[{ text: ' \n\t ', name: 'a' }], 'documents.0.text'],
    [[{ text: 7, name: 'a' }], 'documents.0.text'],
    [[{ text: 'a', name: 7 }], 'documents.0.name'],
    [[{ text: 'a', name: 'x'.repeat(501) }], 'documents.0.name'],
    [[{ text: 'a', name: 'a', metadata: 'x' }], 'documents.0.metadata'],
    [[{ text: 'a', name: 'a', metadata: { source: 7 } }], 'documents.0.metadata.source'],
    [[{ text: 'a', name: 'a', metadata: { custom_id: {} } }], 'documents.0.metadata.custom_id'],
    [[{ text: 'a', name: 'a', metadata: { custom_id: 'x'.repeat(256) } }], 'documents.0.metadata.custom_id'],
    [[{ text: 'a', name: 'a', metadata: { big: 'x'.repeat(20_000) } }], 'documents.0.metadata'],
    [[null], 'documents.0'],
    [[[]], 'documents.0'],
  ])('an upsert refuses the body %j, and names the field %s', async (documents, path) => {
    const response = await postDocuments(documents);
    expect(response.status).toBe(400);
    expect((response.body as { errors: { path: string }[] }).errors.map((error) => error.path)).toContain(path);
    expect(await publishAndListIngestionJobs(test, tenant.organizationId)).toEqual([]);
  });

  it('an upsert of 501 documents or of 10 MB is refused, and the message contains the limit and the number or size found', async () => {
    const many = await postDocuments(Array.from({ length: 501 }, () => ({ text: 'a', name: 'a' })));
    expect([many.status, getStringField(many, 'code')]).toEqual([413, 'too_many_documents']);
    expect(getStringField(many, 'detail')).toBe('A request may contain at most 500 documents, found 501.');
    const large = await postDocuments([{ text: 'x'.repeat(10_500_000), name: 'a' }]);
    expect([large.status, getStringField(large, 'code')]).toEqual([413, 'payload_too_large']);
    expect(getStringField(large, 'detail')).toMatch(/limit of 10485760 bytes, found 105000\d\d/);
  });

  it('an upsert accepts a body of 3 MB', async () => {
    expect(await upsertAndGetIds([{ text: 'x'.repeat(3_000_000), name: 'a' }])).toHaveLength(1);
  });

  it('an upsert stores nothing when the blob store fails', async () => {
    test.blobs.failure = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const response = await postDocuments([{ text: 'a', name: 'a' }]);
    test.blobs.failure = undefined;
    expect([response.status, getStringField(response, 'code')]).toEqual([503, 'dependency_unavailable']);
    expect(getStringField(response, 'detail')).toMatch(/^The blob store /);
    expect((await tenant.api.get('/api/datasources')).body).toEqual({ items: [], next_cursor: null });
    const reserved = await test.gateway.db.select().from(discardedBlobs);
    expect(reserved.filter(({ organizationId }) => organizationId === tenant.organizationId)).toEqual([]);
  });
});
