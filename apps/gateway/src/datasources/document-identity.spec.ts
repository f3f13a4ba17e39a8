import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { datasources } from '../database/tables/datasources.js';
import { publishAndListIngestionJobs } from '../testing/jobs.js';
import { createDatastore, uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import {
  determineFileIdentity,
  determineTextIdentity,
  computeIdentityKey,
  type UpsertedIdentity,
} from './document-identity.js';

const NOTHING = { id: null, source: null, customId: null, name: null, text: 't' };
const computeKey = (fields: Partial<UpsertedIdentity>): string =>
  computeIdentityKey(determineTextIdentity({ ...NOTHING, ...fields }));

describe('the identity of a document', () => {
  it('a document is identified by its id, else its source, else its custom id and name, else its custom id and text', () => {
    const all = { id: 'i', source: 's', customId: 'c', name: 'n' };
    expect(computeKey(all)).toBe(computeKey({ id: 'i' }));
    expect(computeKey({ ...all, id: null })).toBe(computeKey({ source: 's' }));
    expect(computeKey({ customId: 'c', name: 'n', text: 'a' })).toBe(
      computeKey({ customId: 'c', name: 'n', text: 'b' }),
    );
    expect(computeKey({ customId: 'c' })).toBe(computeKey({ customId: 'c' }));
  });

  it('a custom id alone does not identify a document: the id, source, name or text distinguishes documents with the same custom id', () => {
    const grouped = [{ name: 'a' }, { name: 'b' }, { text: 'a' }, { text: 'b' }, { source: 'a' }, { id: 'a' }];
    expect(new Set(grouped.map((fields) => computeKey({ customId: 'c', ...fields }))).size).toBe(grouped.length);
    expect(computeKey({ customId: 'c', name: 'a' })).not.toBe(computeKey({ customId: 'd', name: 'a' }));
    expect(computeIdentityKey(determineFileIdentity('c', 'a'))).not.toBe(
      computeIdentityKey(determineFileIdentity('c', 'b')),
    );
  });

  it('documents that are identified by different fields have different identities, even if the values of these fields are equal', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, fc.option(text), (value, customId) => {
        const keys = [
          computeKey({ id: value }),
          computeKey({ source: value }),
          computeKey({ customId, name: value }),
          computeKey({ customId, text: value }),
          computeIdentityKey(determineFileIdentity(customId, value)),
        ];
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  it('two files have different identities if custom id or name differ, even if custom id and name concatenate to the same string', () => {
    const pair = fc.tuple(fc.option(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(pair, pair, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(
          computeIdentityKey(determineFileIdentity(...one)) === computeIdentityKey(determineFileIdentity(...other)),
        ).toBe(isSame);
      }),
    );
  });
});

const used = setUpTenant();
let datastore: string;
beforeEach(async () => {
  datastore = await createDatastore(used.tenant.api);
});

interface Upserted {
  readonly text: string;
  readonly id?: string;
  readonly name?: string;
  readonly metadata?: { readonly custom_id?: string; readonly source?: string };
}

async function upsertDocuments(...documents: readonly Upserted[]): Promise<readonly string[]> {
  const response = await used.tenant.api.post(`/api/datastores/upsert/${datastore}`).send({ documents });
  expect([response.status, response.text]).toEqual([200, response.text]);
  return (response.body as { ids: string[] }).ids; // as documented
}

/** Changes the row of a document to the form that earlier versions of Quarry, which had no identities, wrote. */
async function convertToLegacyRow(id: string, documentKey: string, name?: string): Promise<string> {
  const { db } = used.test.gateway;
  const set = { identity: null, documentKey, ...(name === undefined ? {} : { name }) };
  await db.update(datasources).set(set).where(eq(datasources.id, id));
  return id;
}

const createLegacyRow = async (document: Upserted, documentKey: string, name?: string): Promise<string> =>
  convertToLegacyRow((await upsertDocuments(document))[0] ?? '', documentKey, name);

const getLastJob = async () =>
  (await publishAndListIngestionJobs(used.test, used.tenant.organizationId)).at(-1)?.payload;

describe('a document that an earlier version of Quarry stored without an identity', () => {
  it.each([
    ['its id', { text: 't', id: 'i', name: 'n', metadata: { custom_id: 'c', source: 's' } }, 'i'],
    ['its id alone', { text: 't', id: 'i' }, 'i'],
    ['its custom id', { text: 't', name: 'n', metadata: { custom_id: 'c' } }, 'c'],
    ['its custom id beside a source', { text: 't', name: 'n', metadata: { custom_id: 'c', source: 's' } }, 'c'],
    ['its name', { text: 't', name: 'n' }, 'n'],
    ['its name beside a source', { text: 't', name: 'n', metadata: { source: 's' } }, 'n'],
    ['its text', { text: 't' }, `text:${createHash('sha256').update('t').digest('base64url')}`],
  ])(
    'an upsert replaces a document that an earlier version of Quarry identified by %s, and keeps the document key',
    async (_by, document, key) => {
      const id = await createLegacyRow(document, key);
      for (const sent of [document, document]) {
        expect(await upsertDocuments(sent)).toEqual([id]);
        expect(await getLastJob()).toMatchObject({ datasourceId: id, documentKey: key });
      }
    },
  );

  it('an upsert replaces a document whose custom id an earlier version of Quarry stored as the name', async () => {
    const document = { text: 't', metadata: { custom_id: 'c' } };
    const id = await createLegacyRow(document, 'c', 'c');
    expect(await upsertDocuments(document)).toEqual([id]);
  });

  it.each([
    ['name', { text: 't', name: 'other', metadata: { custom_id: 'c' } }],
    ['source', { text: 't', name: 'n', metadata: { custom_id: 'c', source: 'other' } }],
  ])(
    'an upsert with the same custom id and another %s does not replace a document that an earlier version of Quarry identified by its custom id alone',
    async (_what, other) => {
      const document = { text: 't', name: 'n', metadata: { custom_id: 'c' } };
      const id = await createLegacyRow(document, 'c');
      const [second, first] = await upsertDocuments(other, document);
      expect(first).toBe(id);
      expect(second).not.toBe(id);
    },
  );

  it('if an earlier version of Quarry stored a text or a file, an upload of the other kind with the same name does not replace it', async () => {
    const text = await createLegacyRow({ text: 't', name: 'a.txt' }, 'a.txt');
    const file = await uploadText(used.tenant.api, datastore, 'f', 'a.txt');
    expect(file).not.toBe(text);
    const oldFile = await convertToLegacyRow(await uploadText(used.tenant.api, datastore, 'f', 'b.txt'), 'b.txt');
    expect(await upsertDocuments({ text: 't', name: 'b.txt' })).not.toContain(oldFile);
    expect(await uploadText(used.tenant.api, datastore, 'f', 'b.txt')).toBe(oldFile);
    expect(await getLastJob()).toMatchObject({ datasourceId: oldFile, documentKey: 'b.txt' });
  });

  it('an upsert replaces the datasource with the same identity, and not a document with the same name from an earlier version of Quarry', async () => {
    const document = { text: 't', name: 'n', metadata: { source: 's' } };
    const old = await createLegacyRow(document, 'n');
    const [current = ''] = await upsertDocuments({ ...document, name: 'renamed' });
    expect(current).not.toBe(old);
    expect(await upsertDocuments(document)).toEqual([current]);
  });

  it('concurrent upserts of the same texts all replace the documents that an earlier version of Quarry stored', async () => {
    const documents = Array.from({ length: 20 }, (_, index) => ({ text: 't', name: `n${index}` }));
    const ids: string[] = [];
    for (const document of documents) ids.push(await createLegacyRow(document, document.name));
    const all = await Promise.all([upsertDocuments(...documents), upsertDocuments(...documents.toReversed())]);
    expect(all).toEqual([ids, ids.toReversed()]);
  });
});
