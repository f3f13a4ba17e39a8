import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.js';
import { textOf } from '../testing/make.js';
import { TEST_SETTINGS } from '../testing/start-test-gateway.js';
import { useTenant } from '../testing/use-tenant.js';

const LIMITS = { ...DEFAULT_LIMITS, fileBytes: 1_000, upsertDocuments: 3, queryCharacters: 50, metadataBytes: 100 };
const used = useTenant({
  settings: { ...TEST_SETTINGS, limits: { ...LIMITS, upsertBytes: 5_000, bodyBytes: 2_000 } },
});
const ask = (body: object) => used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'q', ...body });
const upsert = (documents: object[]) =>
  used.tenant.api.post(`/api/datastores/upsert/${used.datastore}`).send({ documents });
const upload = (bytes: number) =>
  used.tenant.api
    .post(`/api/external/datastores/file-upload/${used.datastore}`)
    .attach('file', Buffer.alloc(bytes, 'x'), 'a.txt');

describe('Limits', () => {
  it.each([
    ['temperature', 0, 1],
    ['presencePenalty', -2, 2],
    ['frequencyPenalty', -2, 2],
    ['topP', 0, 1],
  ])('%s: %d to %d', async (field, min, max) => {
    for (const value of [min, (min + max) / 2, max]) expect((await ask({ [field]: value })).status).toBe(200);
    const below = await ask({ [field]: min - 0.001 });
    expect(textOf(below, 'detail')).toBe(`${field} must not be less than ${min}, found ${min - 0.001}.`);
    const above = await ask({ [field]: max + 0.001 });
    expect(textOf(above, 'detail')).toBe(`${field} must not be greater than ${max}, found ${max + 0.001}.`);
  });

  it('topK: 1 to 100', async () => {
    const search = (topK: number) =>
      used.tenant.api.post(`/api/datastores/${used.datastore}/query`).send({ query: 'q', topK });
    for (const topK of [1, 100]) expect((await search(topK)).status).toBe(200);
    expect(textOf(await search(0), 'detail')).toBe('topK must not be less than 1, found 0.');
    expect(textOf(await search(101), 'detail')).toBe('topK must not be greater than 100, found 101.');
  });

  it('query: as many characters as are configured', async () => {
    expect((await ask({ query: 'x'.repeat(50) })).status).toBe(200);
    expect(textOf(await ask({ query: 'x'.repeat(51) }), 'detail')).toBe('query may have 50 characters, found 51.');
  });

  it('file: as many bytes as are configured', async () => {
    expect((await upload(1_000)).status).toBe(201);
    const refused = await upload(1_001);
    expect(refused.body).toMatchObject({ status: 413, code: 'file_too_large' });
    expect(textOf(refused, 'detail')).toMatch(/^A file may have 1000 bytes, found a form of 1\d\d\d bytes\.$/);
  });

  it('documents of an upsert: as many as are configured', async () => {
    const documents = (count: number) => Array.from({ length: count }, (_, n) => ({ text: 'a', name: `n${n}` }));
    expect((await upsert(documents(3))).status).toBe(200);
    const refused = await upsert(documents(4));
    expect(refused.body).toMatchObject({ status: 413, code: 'too_many_documents' });
    expect(textOf(refused, 'detail')).toBe('A call may hold 3 documents, found 4.');
  });

  it('metadata of a document: as many bytes as are configured', async () => {
    const withMetadata = (bytes: number) => ({ text: 'a', name: 'n', metadata: { k: 'x'.repeat(bytes - 8) } });
    expect((await upsert([withMetadata(100)])).status).toBe(200);
    const refused = await upsert([withMetadata(101)]);
    expect(textOf(refused, 'detail')).toBe('documents.0.metadata may have 100 bytes as JSON, found 101.');
  });

  it('bodies: as many bytes as are configured, those of upserts by themselves', async () => {
    const upserted = await upsert([{ text: 'x'.repeat(5_000), name: 'n' }]);
    expect(upserted.body).toMatchObject({ status: 413, code: 'payload_too_large' });
    expect(textOf(upserted, 'detail')).toMatch(/^The body is over the limit of 5000 bytes, found 50\d\d\.$/);
    expect((await upsert([{ text: 'x'.repeat(4_900), name: 'n' }])).status).toBe(200);
    const asked = await ask({ systemPrompt: 'x'.repeat(2_000) });
    expect(textOf(asked, 'detail')).toMatch(/^The body is over the limit of 2000 bytes, found 20\d\d\.$/);
  });

  it('file types: only the MIME types that are listed', async () => {
    const path = `/api/external/datastores/file-upload/${used.datastore}`;
    expect((await used.tenant.api.post(path).attach('file', Buffer.from('x'), 'a.exe')).status).toBe(415);
  });
});
