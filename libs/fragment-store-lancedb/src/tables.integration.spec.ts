import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, Index } from '@lancedb/lancedb';
import { getCollectionName, type Collection, type DocumentRef, type FragmentStore } from '@quarry/fragment-store';
import { createSampleDocument, createSampleFragment, createSampleVersion } from '@quarry/fragment-store/testing';
import { Schema } from 'apache-arrow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLanceDbFragmentStore } from './index.js';
import { getTableName } from './table-name.js';
import { createTableSchema } from './table-schema.js';

const COLLECTION: Collection = { embedding: null };
const SCOPE = { organizationId: 'o', datastoreIds: ['d'] };
const TABLE = getTableName(getCollectionName(COLLECTION), 'o');
const RECTANGLES = [1, 1_000, 8_700, 8_000, 150];
const OFFER = { price: { max: 5 }, stockStatuses: ['instock'] };

describe('a table of an earlier version, without columns for offers, languages, profiles, rectangles and metadata', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
    await makeEarlierTable(directory);
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('a table of an earlier version gets the missing columns at the first write, and keeps its rows', async () => {
    const store = await openLanceDbFragmentStore({ directory });
    const document = { ...createSampleDocument(), organizationId: 'o', datastoreId: 'd' };
    const version = createSampleVersion(document, ['heron'], { offer: { price: 5, stockStatus: 'instock' } });
    const withoutVectors = version.fragments.map((fragment) => ({ ...fragment, vector: null }));
    await store.replaceDocument(COLLECTION, { ...version, fragments: withoutVectors });
    expect(await store.searchLexical(COLLECTION, SCOPE, 'heron', 10)).toHaveLength(2);
    expect(await store.searchLexical(COLLECTION, { ...SCOPE, ...OFFER }, 'heron', 10)).toMatchObject([
      { documentKey: document.documentKey },
    ]);
    await store.close();
  });

  it('a table of an earlier version can be filtered by price and stock after a store with `upgrade` was opened', async () => {
    const reader = await openLanceDbFragmentStore({ directory });
    const writer = await openLanceDbFragmentStore({ directory, upgrade: true });
    for (const store of [reader, writer]) {
      expect(await store.searchLexical(COLLECTION, { ...SCOPE, ...OFFER }, 'heron', 10)).toEqual([]);
      expect(await store.searchLexical(COLLECTION, SCOPE, 'heron', 10)).toMatchObject([{ rectangles: [] }]);
      await store.close();
    }
  });

  it('a removal takes effect in a table of an earlier version that was not upgraded', async () => {
    const store = await openLanceDbFragmentStore({ directory });
    await store.removeDatasource(COLLECTION, { organizationId: 'o', datasourceId: 's' });
    expect(await store.searchLexical(COLLECTION, SCOPE, 'heron', 10)).toEqual([]);
    await store.close();
  });
});

describe('a table of an earlier version, without rectangles', () => {
  let directory: string;
  const document = createSampleDocument({ organizationId: 'o', datastoreId: 'd' });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
    const store = await openLanceDbFragmentStore({ directory });
    await writeHeron(store, createSampleDocument({ organizationId: 'o', datastoreId: 'd' }));
    await store.close();
    const connection = await connect(directory);
    await (await connection.openTable(TABLE)).dropColumns(['rectangles']);
    connection.close();
    await writeFile(join(directory, 'layout.json'), 'the layout of an earlier version');
  });
  afterEach(() => rm(directory, { recursive: true }));

  const searchRectangles = async (store: FragmentStore): Promise<(readonly number[])[]> => {
    const found = await store.searchLexical(COLLECTION, SCOPE, 'heron', 10);
    return found.map(({ rectangles }) => rectangles).sort();
  };

  it('a table without rectangles can be searched before its upgrade, and returns the rectangles of later writes', async () => {
    const [reader, writer] = [
      await openLanceDbFragmentStore({ directory }),
      await openLanceDbFragmentStore({ directory }),
    ];
    expect(await searchRectangles(reader)).toEqual([[]]);
    await writeHeron(writer, document);
    expect(await searchRectangles(reader)).toEqual([[], RECTANGLES]);
    await Promise.all([reader.close(), writer.close()]);
  });

  it('a table without rectangles gets the column when a store with `upgrade` is opened', async () => {
    const store = await openLanceDbFragmentStore({ directory, upgrade: true });
    await store.close();
    const connection = await connect(directory);
    const { fields } = await (await connection.openTable(TABLE)).schema();
    expect(fields.map((field) => field.name)).toContain('rectangles');
    connection.close();
  });

  async function writeHeron(store: FragmentStore, written: DocumentRef): Promise<void> {
    const fragments = [createSampleFragment('heron', { vector: null, rectangles: RECTANGLES })];
    await store.replaceDocument(COLLECTION, createSampleVersion(written, [], { fragments }));
  }
});

async function makeEarlierTable(directory: string): Promise<void> {
  const later = new Set(['price', 'stock_status', 'language', 'profile', 'rectangles', 'metadata', 'entries']);
  const earlier = new Schema(createTableSchema(null).fields.filter(({ name }) => !later.has(name)));
  const connection = await connect(directory);
  const table = await connection.createEmptyTable(getCollectionName(COLLECTION), earlier);
  const old = {
    organization_id: 'o',
    datastore_id: 'd',
    datasource_id: 's',
    document_key: 'old',
    slot: 'old/0',
    document_id: 'old',
    id: 'old',
    content_hash: 'h',
    generation: 1,
    document_fragments: 1,
    document_tokens: 1,
    ordinal: 0,
    context: '',
    text: 'heron',
    terms: 'heron',
    custom_id: null,
    source: null,
    page: null,
    location: null,
  };
  await table.add([old]);
  await table.createIndex('terms', { config: Index.fts({ baseTokenizer: 'whitespace' }) });
  connection.close();
}
