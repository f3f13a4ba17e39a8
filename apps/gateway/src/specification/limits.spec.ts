import { describe, expect, it } from 'vitest';
import { recordUpdateWithLock } from '../runs/update/record-update-with-lock.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { updateOrganization } from '../organizations/organization-repository.js';
import { getStringField, uploadText } from '../testing/create-resources.js';
import { TEST_SETTINGS } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { claimTokens } from '../usage/claim-tokens.js';

const LIMITS = { ...DEFAULT_LIMITS, fileBytes: 1_000, upsertDocuments: 3, queryCharacters: 50, metadataBytes: 100 };
const used = setUpTenant({
  settings: { ...TEST_SETTINGS, limits: { ...LIMITS, upsertBytes: 5_000, bodyBytes: 2_000 } },
});
const askAgent = (body: object) =>
  used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'q', ...body });
const upsertDocuments = (documents: object[]) =>
  used.tenant.api.post(`/api/datastores/upsert/${used.datastore}`).send({ documents });
const uploadBytes = (bytes: number) =>
  used.tenant.api
    .post(`/api/external/datastores/file-upload/${used.datastore}`)
    .attach('file', Buffer.alloc(bytes, 'x'), 'a.txt');

describe('Limits', () => {
  it.each([
    ['temperature', 0, 1],
    ['presencePenalty', -2, 2],
    ['frequencyPenalty', -2, 2],
    ['topP', 0, 1],
  ])('the field %s of an agent query must be from %d to %d', async (field, min, max) => {
    for (const value of [min, (min + max) / 2, max]) expect((await askAgent({ [field]: value })).status).toBe(200);
    const below = await askAgent({ [field]: min - 0.001 });
    expect(getStringField(below, 'detail')).toBe(`${field} must not be less than ${min}, found ${min - 0.001}.`);
    const above = await askAgent({ [field]: max + 0.001 });
    expect(getStringField(above, 'detail')).toBe(`${field} must not be greater than ${max}, found ${max + 0.001}.`);
  });

  it('above the query limit, a streamed query gets 402, and above the token limit, a datasource gets the status `usage_limit_reached`', async () => {
    const { test, tenant, datastore } = used;
    const { organizationId } = tenant;
    const datasourceId = await uploadText(tenant.api, datastore);
    const limits = { agentQueriesPerMonth: 1, storedTokens: 10 };
    await updateOrganization(test.gateway.db, organizationId, { limits }, new Date());
    expect((await askAgent({ streaming: true })).status).toBe(200);
    expect((await askAgent({ streaming: true })).body).toMatchObject({ status: 402, code: 'usage_limit_reached' });
    const claim = { organizationId, datasourceId, documentKey: 'notes.txt', tokens: 11 };
    const { code, message } = await claimTokens(test.gateway.db, claim);
    const shown = (await tenant.api.get(`/api/datasources/${datasourceId}`)).body as { run: { id: string } }; // as documented
    const ending = { kind: 'document', outcome: 'failed', code, message } as const;
    const event = { type: 'ended', runId: shown.run.id, sequence: 9, ending } as const;
    await recordUpdateWithLock(test.gateway.db, { datasourceId, event, at: new Date() }, new Date());
    expect((await tenant.api.get(`/api/datasources/${datasourceId}`)).body).toMatchObject({
      status: 'usage_limit_reached',
      error: { code: 'usage_limit_reached', message: expect.stringContaining('allows 10 tokens') as string },
    });
  });

  it('an item listing with a URL on localhost or in a private network is refused', async () => {
    for (const url of [
      'http://localhost/items',
      'http://127.0.0.1:8080/items',
      'https://10.1.2.3/items',
      'http://[::1]/',
    ]) {
      const body = { type: 'item_listing', datastoreId: used.datastore, name: 'shop', config: { url } };
      const response = await used.tenant.api.post('/api/datasources').send(body);
      expect(response.body).toMatchObject({ status: 400, errors: [{ path: 'config.url' }] });
    }
  });

  it('the field `topK` of a datastore query must be from 1 to 100', async () => {
    const searchDatastore = (topK: number) =>
      used.tenant.api.post(`/api/datastores/${used.datastore}/query`).send({ query: 'q', topK });
    for (const topK of [1, 100]) expect((await searchDatastore(topK)).status).toBe(200);
    expect(getStringField(await searchDatastore(0), 'detail')).toBe('topK must not be less than 1, found 0.');
    expect(getStringField(await searchDatastore(101), 'detail')).toBe('topK must not be greater than 100, found 101.');
  });

  it('the length of a query is limited to a configurable number of characters', async () => {
    for (const character of ['x', '😀']) {
      expect((await askAgent({ query: character.repeat(50) })).status).toBe(200);
      expect(getStringField(await askAgent({ query: character.repeat(51) }), 'detail')).toBe(
        'query must have at most 50 characters, found 51.',
      );
    }
  });

  it('the size of a file is limited to a configurable number of bytes', async () => {
    expect((await uploadBytes(1_000)).status).toBe(201);
    const refused = await uploadBytes(1_001);
    expect(refused.body).toMatchObject({ status: 413, code: 'file_too_large' });
    expect(getStringField(refused, 'detail')).toMatch(
      /^The maximum file size is 1000 bytes; found a form of 1\d\d\d bytes\.$/,
    );
  });

  it('the number of documents in an upsert is limited by configuration', async () => {
    const buildDocuments = (count: number) => Array.from({ length: count }, (_, n) => ({ text: 'a', name: `n${n}` }));
    expect((await upsertDocuments(buildDocuments(3))).status).toBe(200);
    const refused = await upsertDocuments(buildDocuments(4));
    expect(refused.body).toMatchObject({ status: 413, code: 'too_many_documents' });
    expect(getStringField(refused, 'detail')).toBe('A request may contain at most 3 documents, found 4.');
  });

  it('the metadata of a document is limited to a configurable number of bytes', async () => {
    const buildDocument = (bytes: number) => ({ text: 'a', name: 'n', metadata: { k: 'x'.repeat(bytes - 8) } });
    expect((await upsertDocuments([buildDocument(100)])).status).toBe(200);
    const refused = await upsertDocuments([buildDocument(101)]);
    expect(getStringField(refused, 'detail')).toBe(
      'documents.0.metadata must have at most 100 bytes as JSON, found 101.',
    );
  });

  it('the size limit of request bodies and the size limit of upserts are configurable', async () => {
    const upserted = await upsertDocuments([{ text: 'x'.repeat(5_000), name: 'n' }]);
    expect(upserted.body).toMatchObject({ status: 413, code: 'payload_too_large' });
    expect(getStringField(upserted, 'detail')).toMatch(/^The body is over the limit of 5000 bytes, found 50\d\d\.$/);
    expect((await upsertDocuments([{ text: 'x'.repeat(4_900), name: 'n' }])).status).toBe(200);
    const asked = await askAgent({ systemPrompt: 'x'.repeat(2_000) });
    expect(getStringField(asked, 'detail')).toMatch(/^The body is over the limit of 2000 bytes, found 20\d\d\.$/);
  });

  it('a file of an unsupported MIME type is refused', async () => {
    const path = `/api/external/datastores/file-upload/${used.datastore}`;
    expect((await used.tenant.api.post(path).attach('file', Buffer.from('x'), 'a.exe')).status).toBe(415);
  });
});
