import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Table } from '@lancedb/lancedb';
import { computeDocumentId, getCollectionName, type Collection, type DocumentRef } from '@quarry/fragment-store';
import { createSampleDocument, createSampleFragment, createSampleVersion } from '@quarry/fragment-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLanceDbFragmentStore } from './index.js';
import { ProfileCache, type ProfiledVersion } from './profile-cache.js';
import { getTableName } from './table-name.js';

const COLLECTION: Collection = { embedding: null };
const ORGANIZATION = 'o';

describe('the cache of document profiles', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('the profile cache reads the profile of each document version from the table only once', async () => {
    const document = createSampleDocument({ organizationId: ORGANIZATION });
    const table = await writeDocuments([document]);
    const cache = new ProfileCache();
    const version = describeStored(document);
    const [profile, other] = await cache.findProfiles(table, [version, { ...version, contentHash: 'other' }]);
    expect(profile?.length).toBeGreaterThan(0);
    expect(other).toBeUndefined();
    await table.delete('true');
    expect(await cache.findProfiles(table, [version, version])).toEqual([profile, profile]);
  });

  it('the profile cache evicts the oldest profiles if it exceeds the memory limit', async () => {
    const documents = [
      createSampleDocument({ organizationId: ORGANIZATION }),
      createSampleDocument({ organizationId: ORGANIZATION }),
    ];
    const [first, second] = documents.map(describeStored);
    const table = await writeDocuments(documents);
    const cache = new ProfileCache(300);
    for (const version of [first, second]) if (version !== undefined) await cache.findProfiles(table, [version]);
    await table.delete('true');
    const found = await cache.findProfiles(
      table,
      [first, second].flatMap((version) => version ?? []),
    );
    expect(found.map((profile) => profile !== undefined)).toEqual([false, true]);
  });

  async function writeDocuments(documents: readonly DocumentRef[]): Promise<Table> {
    const store = await openLanceDbFragmentStore({ directory });
    const fragments = [createSampleFragment('a heron', { vector: null })];
    for (const document of documents)
      await store.replaceDocument(COLLECTION, createSampleVersion(document, [], { fragments, contentHash: 'h' }));
    await store.close();
    const connection = await connect(directory, { readConsistencyInterval: 0 });
    return connection.openTable(getTableName(getCollectionName(COLLECTION), ORGANIZATION));
  }

  function describeStored(document: DocumentRef): ProfiledVersion {
    return { documentId: computeDocumentId(document), contentHash: 'h' };
  }
});
