import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { datasources } from '../database/tables/datasources.js';
import { listIngestionJobs } from '../testing/jobs.js';
import { makeDatastore, uploadText } from '../testing/make.js';
import { useTenant } from '../testing/use-tenant.js';
import { identifyFile, identifyUpsert, computeIdentityKey, type UpsertedIdentity } from './document-identity.js';

const NOTHING = { id: null, source: null, customId: null, name: null, text: 't' };
const keyOf = (fields: Partial<UpsertedIdentity>): string =>
  computeIdentityKey(identifyUpsert({ ...NOTHING, ...fields }));

describe('the identity of a document', () => {
  it('is its id, else its source, else its custom id and name, else its custom id and text', () => {
    const all = { id: 'i', source: 's', customId: 'c', name: 'n' };
    expect(keyOf(all)).toBe(keyOf({ id: 'i' }));
    expect(keyOf({ ...all, id: null })).toBe(keyOf({ source: 's' }));
    expect(keyOf({ customId: 'c', name: 'n', text: 'a' })).toBe(keyOf({ customId: 'c', name: 'n', text: 'b' }));
    expect(keyOf({ customId: 'c' })).toBe(keyOf({ customId: 'c' }));
  });

  it('is never the custom id alone', () => {
    const grouped = [{ name: 'a' }, { name: 'b' }, { text: 'a' }, { text: 'b' }, { source: 'a' }, { id: 'a' }];
    expect(new Set(grouped.map((fields) => keyOf({ customId: 'c', ...fields }))).size).toBe(grouped.length);
    expect(keyOf({ customId: 'c', name: 'a' })).not.toBe(keyOf({ customId: 'd', name: 'a' }));
    expect(computeIdentityKey(identifyFile('c', 'a'))).not.toBe(computeIdentityKey(identifyFile('c', 'b')));
  });

  it('differs between kinds of documents and of identifying fields, whatever the values', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, fc.option(text), (value, customId) => {
        const keys = [
          keyOf({ id: value }),
          keyOf({ source: value }),
          keyOf({ customId, name: value }),
          keyOf({ customId, text: value }),
          computeIdentityKey(identifyFile(customId, value)),
        ];
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  it('differs when custom id or name differ, even if their concatenation is equal', () => {
    const pair = fc.tuple(fc.option(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(pair, pair, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(computeIdentityKey(identifyFile(...one)) === computeIdentityKey(identifyFile(...other))).toBe(isSame);
      }),
    );
  });
});

const used = useTenant();
let datastore: string;
beforeEach(async () => {
  datastore = await makeDatastore(used.tenant.api);
});

interface Upserted {
  readonly text: string;
  readonly id?: string;
  readonly name?: string;
  readonly metadata?: { readonly custom_id?: string; readonly source?: string };
}

async function upsert(...documents: readonly Upserted[]): Promise<readonly string[]> {
  const response = await used.tenant.api.post(`/api/datastores/upsert/${datastore}`).send({ documents });
  expect([response.status, response.text]).toEqual([200, response.text]);
  return (response.body as { ids: string[] }).ids; // as documented
}

/** Changes a row to what versions without identities wrote. */
async function makeLegacy(id: string, documentKey: string, name?: string): Promise<string> {
  const { db } = used.test.gateway;
  const set = { identity: null, documentKey, ...(name === undefined ? {} : { name }) };
  await db.update(datasources).set(set).where(eq(datasources.id, id));
  return id;
}

const legacy = async (document: Upserted, documentKey: string, name?: string): Promise<string> =>
  makeLegacy((await upsert(document))[0] ?? '', documentKey, name);

const lastJob = async () => (await listIngestionJobs(used.test, used.tenant.organizationId)).at(-1)?.payload;

describe('a document of a version without identities', () => {
  it.each([
    ['its id', { text: 't', id: 'i', name: 'n', metadata: { custom_id: 'c', source: 's' } }, 'i'],
    ['its id alone', { text: 't', id: 'i' }, 'i'],
    ['its custom id', { text: 't', name: 'n', metadata: { custom_id: 'c' } }, 'c'],
    ['its custom id beside a source', { text: 't', name: 'n', metadata: { custom_id: 'c', source: 's' } }, 'c'],
    ['its name', { text: 't', name: 'n' }, 'n'],
    ['its name beside a source', { text: 't', name: 'n', metadata: { source: 's' } }, 'n'],
    ['its text', { text: 't' }, `text:${createHash('sha256').update('t').digest('base64url')}`],
  ])('that was identified by %s is replaced under the key of its fragments', async (_by, document, key) => {
    const id = await legacy(document, key);
    for (const sent of [document, document]) {
      expect(await upsert(sent)).toEqual([id]);
      expect(await lastJob()).toMatchObject({ datasourceId: id, documentKey: key });
    }
  });

  it('that had its custom id as name is replaced', async () => {
    const document = { text: 't', metadata: { custom_id: 'c' } };
    const id = await legacy(document, 'c', 'c');
    expect(await upsert(document)).toEqual([id]);
  });

  it.each([
    ['name', { text: 't', name: 'other', metadata: { custom_id: 'c' } }],
    ['source', { text: 't', name: 'n', metadata: { custom_id: 'c', source: 'other' } }],
  ])('that had the custom id alone as key is not replaced by one of another %s', async (_what, other) => {
    const document = { text: 't', name: 'n', metadata: { custom_id: 'c' } };
    const id = await legacy(document, 'c');
    const [second, first] = await upsert(other, document);
    expect(first).toBe(id);
    expect(second).not.toBe(id);
  });

  it('is not replaced by a file of the same name, nor a file by a text', async () => {
    const text = await legacy({ text: 't', name: 'a.txt' }, 'a.txt');
    const file = await uploadText(used.tenant.api, datastore, 'f', 'a.txt');
    expect(file).not.toBe(text);
    const oldFile = await makeLegacy(await uploadText(used.tenant.api, datastore, 'f', 'b.txt'), 'b.txt');
    expect(await upsert({ text: 't', name: 'b.txt' })).not.toContain(oldFile);
    expect(await uploadText(used.tenant.api, datastore, 'f', 'b.txt')).toBe(oldFile);
    expect(await lastJob()).toMatchObject({ datasourceId: oldFile, documentKey: 'b.txt' });
  });

  it('is not replaced when another datasource already has its identity', async () => {
    const document = { text: 't', name: 'n', metadata: { source: 's' } };
    const old = await legacy(document, 'n');
    const [current = ''] = await upsert({ ...document, name: 'renamed' });
    expect(current).not.toBe(old);
    expect(await upsert(document)).toEqual([current]);
  });

  it('is replaced once by concurrent upserts', async () => {
    const documents = Array.from({ length: 20 }, (_, index) => ({ text: 't', name: `n${index}` }));
    const ids: string[] = [];
    for (const document of documents) ids.push(await legacy(document, document.name));
    const all = await Promise.all([upsert(...documents), upsert(...documents.toReversed())]);
    expect(all).toEqual([ids, ids.toReversed()]);
  });
});
