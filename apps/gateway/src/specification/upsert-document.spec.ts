import { describe, expect, it } from 'vitest';
import { publishAndListIngestionJobs } from '../testing/jobs.js';
import { expectRefusedValues, expectAcceptedValues, type SendField } from '../testing/expect-field-values.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();
const upsertDocuments = (documents: unknown) =>
  used.tenant.api.post(`/api/datastores/upsert/${used.datastore}`).send({ documents, more: 1 });
const sendField: SendField = (field, value) => {
  const document = { text: 'some text', name: 'a name', [field.split('.').at(-1) ?? '']: value };
  return upsertDocuments([document]);
};
const getLastJob = async () =>
  (await publishAndListIngestionJobs(used.test, used.tenant.organizationId)).at(-1)?.payload;
const readLastBlob = async (): Promise<string> => {
  const job = await getLastJob();
  return used.test.blobs.readText(job !== undefined && 'blobKey' in job ? job.blobKey : '');
};

describe('Upsert document', () => {
  it('the field `text` of an upserted document is a string', async () => {
    for (const text of ['some text', ' 東京\n<b>*', 'x'.repeat(100_000)]) {
      await expectAcceptedValues(sendField, 'documents.0.text', [text]);
      expect(await readLastBlob()).toBe(text);
    }
    await expectRefusedValues(sendField, 'documents.0.text', [undefined, null, '', '  ', 7, {}, ['a']]);
  });

  it('the field `name` of an upserted document is a string', async () => {
    await expectAcceptedValues(sendField, 'documents.0.name', ['Manual', '東京', 'x'.repeat(500)]);
    expect(await getLastJob()).toMatchObject({ name: 'x'.repeat(500) });
    await expectRefusedValues(sendField, 'documents.0.name', [7, {}, 'x'.repeat(501)]);
  });

  it('the field `metadata` of an upserted document is an object with the known keys `source`, `author` and `date`', async () => {
    const metadata = { source: 'https://example.org/a', author: 'Ann', date: '2026-11-21', shelf: [7], more: { a: 1 } };
    await expectAcceptedValues(sendField, 'documents.0.metadata', [
      null,
      {},
      { source: null },
      { source: '' },
      metadata,
    ]);
    expect(await getLastJob()).toMatchObject({ source: 'https://example.org/a', metadata });
    const upserted = await upsertDocuments([{ text: 'a', name: 'a', metadata }]);
    const [id] = (upserted.body as { ids: string[] }).ids; // as documented
    const shown = await used.tenant.api.get(`/api/datasources/${id ?? ''}`);
    expect(shown.body).toMatchObject({ type: 'document', name: 'a', config: { metadata } });
    await expectRefusedValues(sendField, 'documents.0.metadata', ['a', 7, [], { source: 7 }, { custom_id: [] }]);
  });

  it('document metadata with any keys is stored and returned unchanged', async () => {
    const metadata = '{"prototype":1,"toString":"x","__proto__":{"a":[{"__proto__":null}]},"constructor":{"name":7}}';
    const documents = `[{"text":"a","name":"odd names","metadata":${metadata}},{"text":"b","name":"b"}]`;
    const upserted = await used.tenant.api
      .post(`/api/datastores/upsert/${used.datastore}`)
      .set('Content-Type', 'application/json')
      .send(`{"documents":${documents}}`);
    expect(upserted.status).toBe(200);
    const [id] = (upserted.body as { ids: string[] }).ids; // as documented
    const job = (await publishAndListIngestionJobs(used.test, used.tenant.organizationId)).find(
      ({ payload }) => 'name' in payload && payload.name === 'odd names',
    );
    const inJob = job !== undefined && 'metadata' in job.payload ? job.payload.metadata : undefined;
    const shown = await used.tenant.api.get(`/api/datasources/${id ?? ''}`);
    const stored = (shown.body as { config: { metadata: object } }).config.metadata; // as documented
    // PostgreSQL does not preserve the order of the fields of a JSON object.
    for (const found of [inJob, stored]) expect(toSortedPairs(found)).toEqual(toSortedPairs(JSON.parse(metadata)));
  });

  it.each([65, 3_000])('document metadata that is nested %i levels deep is refused', async (levels) => {
    const metadata = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const refused = await used.tenant.api
      .post(`/api/datastores/upsert/${used.datastore}`)
      .set('Content-Type', 'application/json')
      .send(`{"documents":[{"text":"a","metadata":${metadata}}]}`);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'malformed_request' });
  });

  it('an upsert ignores unknown fields of a document', async () => {
    await expectAcceptedValues(sendField, 'documents.0.language', ['de', null, {}]);
  });

  it('the field `documents` of an upsert is an array of documents', async () => {
    expect((await upsertDocuments([])).body).toEqual({ ids: [] });
    for (const wrong of [undefined, null, {}, 'a', [7], [null], [[]]])
      expect((await upsertDocuments(wrong)).status).toBe(400);
  });
});

/** Converts objects to sorted pairs, because matchers do not compare own fields named `__proto__`. */
function toSortedPairs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSortedPairs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([name, field]) => [name, toSortedPairs(field)] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
}
