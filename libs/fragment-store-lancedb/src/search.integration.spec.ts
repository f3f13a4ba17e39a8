import { getCollectionName } from '@quarry/fragment-store';
import {
  createSampleDocument,
  createSampleVersion,
  createScope,
  SAMPLE_COLLECTION,
} from '@quarry/fragment-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLanceDbFragmentStore } from './index.js';
import { getTableName } from './table-name.js';
import { openTemporaryDatabase, type TemporaryDatabase } from './testing/open-temporary-database.js';

describe('a lexical search in LanceDB', () => {
  let database: TemporaryDatabase;
  beforeEach(async () => {
    database = await openTemporaryDatabase();
  });
  afterEach(() => database.remove());

  it('a lexical search reads the profile of a document only if the document has several fragments', async () => {
    const document = createSampleDocument();
    const store = await openLanceDbFragmentStore({ directory: database.directory });
    const texts = { one: ['a heron'], two: ['another heron', 'an egret'] };
    for (const [documentKey, fragments] of Object.entries(texts))
      await store.replaceDocument(SAMPLE_COLLECTION, createSampleVersion({ ...document, documentKey }, fragments));
    await removeProfiles(document.organizationId);
    const found = await store.searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'heron' }, 10);
    const matches = new Map(found.map(({ documentKey, documentMatch }) => [documentKey, documentMatch]));
    expect(matches).toEqual(
      new Map([
        ['one', 1],
        ['two', undefined],
      ]),
    );
    await store.close();
  });

  async function removeProfiles(organizationId: string): Promise<void> {
    const table = await database.connection.openTable(
      getTableName(getCollectionName(SAMPLE_COLLECTION), organizationId),
    );
    await table.update({ valuesSql: { profile: 'CAST(NULL AS STRING)' } });
    table.close();
  }
});
