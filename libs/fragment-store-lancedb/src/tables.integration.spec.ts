import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, Index } from '@lancedb/lancedb';
import { encodeRectangles, getCollectionName, type Collection, type FragmentStore } from '@quarry/fragment-store';
import { createSampleDocument, createSampleFragment, createSampleVersion } from '@quarry/fragment-store/testing';
import { Field, Int32, Schema, Utf8 } from 'apache-arrow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLanceDbFragmentStore } from './index.js';
import { getTableName } from './table-name.js';
import { createTableSchema } from './table-schema.js';

const COLLECTION: Collection = { embedding: null };
const SCOPE = { organizationId: 'o', datastoreIds: ['d'] };
const TABLE = getTableName(getCollectionName(COLLECTION), 'o');
const RECTANGLES = [1, 1_000, 8_700, 8_000, 150];
const OFFER = { price: { max: 5 }, stockStatuses: ['instock'] };

describe('a table of an earlier version of Quarry, without columns for offers, languages, profiles, rectangles and metadata', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
    await makeEarlierTable(directory);
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('a table of an earlier version of Quarry gets the missing columns at the first write, and keeps its rows', async () => {
    const store = await openLanceDbFragmentStore({ directory });
    const document = { ...createSampleDocument(), organizationId: 'o', datastoreId: 'd' };
    const version = createSampleVersion(document, ['heron'], { offer: { price: 5, stockStatus: 'instock' } });
    const withoutVectors = version.fragments.map((fragment) => ({ ...fragment, vector: null }));
    await store.replaceDocument(COLLECTION, { ...version, fragments: withoutVectors });
    expect(await store.searchLexical(COLLECTION, SCOPE, { text: 'heron' }, 10)).toHaveLength(2);
    expect(await store.searchLexical(COLLECTION, { ...SCOPE, ...OFFER }, { text: 'heron' }, 10)).toMatchObject([
      { documentKey: document.documentKey },
    ]);
    await store.close();
  });

  it('after the upgrade of a table, a filter by price and stock status is valid, and excludes the rows of the earlier version, which lack these values', async () => {
    const reader = await openLanceDbFragmentStore({ directory });
    const writer = await openLanceDbFragmentStore({ directory, upgrade: true });
    for (const store of [reader, writer]) {
      expect(await store.searchLexical(COLLECTION, { ...SCOPE, ...OFFER }, { text: 'heron' }, 10)).toEqual([]);
      expect(await store.searchLexical(COLLECTION, SCOPE, { text: 'heron' }, 10)).toMatchObject([{ rectangles: [] }]);
      await store.close();
    }
  });

  it('in a table of an earlier version of Quarry, searches find no rows of a removed datasource', async () => {
    const store = await openLanceDbFragmentStore({ directory });
    await store.removeDatasource(COLLECTION, { organizationId: 'o', datasourceId: 's' });
    expect(await store.searchLexical(COLLECTION, SCOPE, { text: 'heron' }, 10)).toEqual([]);
    await store.close();
  });
});

describe('a table of an earlier version of Quarry, with a column for each field of a fragment', () => {
  let directory: string;
  const fragment = {
    id: 'id',
    datastoreId: 'd',
    datasourceId: 's',
    documentKey: 'a \u001f b',
    customId: '\u0018',
    source: null,
    version: 'h',
    generation: 1_764_427_236_000,
    page: 3,
    location: '',
    rectangles: RECTANGLES,
    ordinal: 0,
    context: "Birds' names",
    text: 'heron \u001be\u001fs\u0018n\n“Reiher” 🐦',
  };
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
    const connection = await connect(directory);
    const rectangles = new Field('rectangles', new Utf8(), true);
    const { fields } = createTableSchema(null);
    const schema = new Schema([...fields.filter(({ name }) => name !== 'fragment'), ...EARLIER_FIELDS, rectangles]);
    const table = await connection.createEmptyTable(TABLE, schema);
    await table.add([
      {
        ...EARLIER_ROW,
        id: fragment.id,
        document_key: fragment.documentKey,
        custom_id: fragment.customId,
        generation: fragment.generation,
        page: fragment.page,
        location: fragment.location,
        rectangles: encodeRectangles(fragment.rectangles),
        context: fragment.context,
        text: fragment.text,
      },
    ]);
    await table.createIndex('terms', { config: Index.fts({ baseTokenizer: 'whitespace' }) });
    connection.close();
    await writeFile(join(directory, 'layout.json'), 'the layout of an earlier version');
  });
  afterEach(() => rm(directory, { recursive: true }));

  const searchAndClose = async (store: FragmentStore): Promise<readonly object[]> => {
    const found = await store.searchLexical(COLLECTION, SCOPE, { text: 'heron' }, 10);
    await store.close();
    return found;
  };

  it('a search returns the same fragment before and after the upgrade of its table', async () => {
    expect(await searchAndClose(await openLanceDbFragmentStore({ directory }))).toMatchObject([fragment]);
    expect(await searchAndClose(await openLanceDbFragmentStore({ directory, upgrade: true }))).toMatchObject([
      fragment,
    ]);
    expect(await listColumns()).toEqual(
      createTableSchema(null)
        .fields.map(({ name }) => name)
        .sort(),
    );
  });

  it('the next start repeats an upgrade that was killed before it removed the columns of the earlier version', async () => {
    const connection = await connect(directory);
    await (await connection.openTable(TABLE)).addColumns([{ name: 'fragment', valueSql: 'CAST(NULL AS STRING)' }]);
    connection.close();
    expect(await searchAndClose(await openLanceDbFragmentStore({ directory, upgrade: true }))).toMatchObject([
      fragment,
    ]);
  });

  it('a search finds both the rows that an earlier version of Quarry wrote to a table and the rows of this version', async () => {
    const store = await openLanceDbFragmentStore({ directory });
    const document = createSampleDocument({ organizationId: 'o', datastoreId: 'd' });
    const fragments = [createSampleFragment('heron', { vector: null, rectangles: RECTANGLES })];
    await store.replaceDocument(COLLECTION, createSampleVersion(document, [], { fragments }));
    expect(await searchAndClose(store)).toMatchObject([{ text: 'heron', rectangles: RECTANGLES }, fragment]);
  });

  async function listColumns(): Promise<string[]> {
    const connection = await connect(directory);
    const { fields } = await (await connection.openTable(TABLE)).schema();
    connection.close();
    return fields.map(({ name }) => name).sort();
  }
});

/** Columns that tables of earlier versions of Quarry have, but new tables do not. */
const EARLIER_FIELDS = [
  new Field('document_key', new Utf8(), false),
  new Field('source', new Utf8(), true),
  new Field('ordinal', new Int32(), false),
  new Field('page', new Int32(), true),
  new Field('location', new Utf8(), true),
  new Field('context', new Utf8(), false),
  new Field('text', new Utf8(), false),
];

const EARLIER_ROW = {
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

async function makeEarlierTable(directory: string): Promise<void> {
  const later = new Set(['price', 'stock_status', 'language', 'profile', 'fragment', 'metadata', 'entries']);
  const unchanged = createTableSchema(null).fields.filter(({ name }) => !later.has(name));
  const connection = await connect(directory);
  const schema = new Schema([...unchanged, ...EARLIER_FIELDS]);
  const table = await connection.createEmptyTable(getCollectionName(COLLECTION), schema);
  await table.add([EARLIER_ROW]);
  await table.createIndex('terms', { config: Index.fts({ baseTokenizer: 'whitespace' }) });
  connection.close();
}
