import { describe, expect, it } from 'vitest';
import { jobsOf } from '../testing/jobs.js';
import { expectRefused, expectTaken, type Sender } from '../testing/rules.js';
import { useTenant } from '../testing/use-tenant.js';

const used = useTenant();
const upsert = (documents: unknown) =>
  used.tenant.api.post(`/api/datastores/upsert/${used.datastore}`).send({ documents, more: 1 });
const send: Sender = (field, value) => {
  const document = { text: 'some text', name: 'a name', [field.split('.').at(-1) ?? '']: value };
  return upsert([document]);
};
const lastJob = async () => (await jobsOf(used.test, used.tenant.organizationId)).at(-1)?.payload;
const blobOf = async (): Promise<string> => {
  const job = await lastJob();
  return used.test.blobs.readText(job !== undefined && 'blobKey' in job ? job.blobKey : '');
};

describe('Upsert document', () => {
  it('text: string', async () => {
    for (const text of ['some text', ' 東京\n<b>*', 'x'.repeat(100_000)]) {
      await expectTaken(send, 'documents.0.text', [text]);
      expect(await blobOf()).toBe(text);
    }
    await expectRefused(send, 'documents.0.text', [undefined, null, '', '  ', 7, {}, ['a']]);
  });

  it('name: string', async () => {
    await expectTaken(send, 'documents.0.name', ['Manual', '東京', 'x'.repeat(500)]);
    expect(await lastJob()).toMatchObject({ name: 'x'.repeat(500) });
    await expectRefused(send, 'documents.0.name', [7, {}, 'x'.repeat(501)]);
  });

  it('metadata: object; source, author and date among its keys', async () => {
    const metadata = { source: 'https://example.org/a', author: 'Ann', date: '2026-11-21', shelf: [7], more: { a: 1 } };
    await expectTaken(send, 'documents.0.metadata', [null, {}, { source: null }, { source: '' }, metadata]);
    expect(await lastJob()).toMatchObject({ source: 'https://example.org/a', metadata });
    const upserted = await upsert([{ text: 'a', name: 'a', metadata }]);
    const [id] = (upserted.body as { ids: string[] }).ids; // as documented
    const shown = await used.tenant.api.get(`/api/datasources/${id ?? ''}`);
    expect(shown.body).toMatchObject({ type: 'document', name: 'a', config: { metadata } });
    await expectRefused(send, 'documents.0.metadata', ['a', 7, [], { source: 7 }, { custom_id: [] }]);
  });

  it('ignores every other field', async () => {
    await expectTaken(send, 'documents.0.language', ['de', null, {}]);
  });

  it('is an element of documents, an array', async () => {
    expect((await upsert([])).body).toEqual({ ids: [] });
    for (const wrong of [undefined, null, {}, 'a', [7], [null], [[]]]) expect((await upsert(wrong)).status).toBe(400);
  });
});
