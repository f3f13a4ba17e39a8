import { Index, type Connection, type Table, type VectorQuery } from '@lancedb/lancedb';
import { createSampleVector } from '@quarry/fragment-store/testing';
import { Field, FixedSizeList, Float32, Int32, Schema } from 'apache-arrow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configureIndexedSearch, createVectorIndexIfDue } from './vector-index.js';
import { openTemporaryDatabase, type TemporaryDatabase } from './testing/open-temporary-database.js';

describe('the vector index', () => {
  let database: TemporaryDatabase;
  let connection: Connection;

  beforeEach(async () => {
    database = await openTemporaryDatabase();
    ({ connection } = database);
  });
  afterEach(async () => {
    await database.remove();
  });

  it.each([
    { dimensions: 256, type: 'IvfRq' },
    { dimensions: 248, type: 'IvfFlat' },
    { dimensions: 260, type: 'IvfFlat' },
  ])('the index of vectors with $dimensions dimensions has the type $type', async ({ dimensions, type }) => {
    const table = await createTable(dimensions, 600);
    await createVectorIndexIfDue(table, 500);
    expect((await table.listIndices()).map(({ indexType }) => indexType)).toEqual([type]);
  });

  it('createVectorIndexIfDue creates an index when a table has `minRows` rows, and a new index when the number of rows has doubled', async () => {
    const table = await createTable(16, 499);
    await createVectorIndexIfDue(table, 500);
    expect(await table.listIndices()).toEqual([]);
    const listNames = async (): Promise<readonly string[]> => (await table.listIndices()).map(({ name }) => name);
    await addVectors(table, 16, { from: 499, to: 500 });
    await createVectorIndexIfDue(table, 500);
    expect(await listNames()).toEqual(['vectors_of_500']);
    await addVectors(table, 16, { from: 500, to: 999 });
    await createVectorIndexIfDue(table, 500);
    expect(await listNames()).toEqual(['vectors_of_500']);
    await addVectors(table, 16, { from: 999, to: 1_000 });
    await createVectorIndexIfDue(table, 500);
    expect(await listNames()).toEqual(['vectors_of_1000']);
  });

  it('createVectorIndexIfDue removes an outdated index that a killed process did not remove', async () => {
    const table = await createTable(16, 1_000);
    for (const rows of [500, 1_000]) {
      const config = Index.ivfFlat({ distanceType: 'cosine' });
      await table.createIndex('vector', { config, name: `vectors_of_${String(rows)}` });
    }
    await createVectorIndexIfDue(table, 500);
    expect((await table.listIndices()).map(({ name }) => name)).toEqual(['vectors_of_1000']);
  });

  it('createVectorIndexIfDue replaces an index that an earlier version of Quarry created', async () => {
    const table = await createTable(16, 600);
    await table.createIndex('vector');
    await createVectorIndexIfDue(table, 500);
    expect((await table.listIndices()).map(({ name }) => name)).toEqual(['vectors_of_600']);
  });

  it.each([{ filter: 'id >= 0' }, { filter: 'id % 20 = 0' }])(
    'a search with the filter $filter finds more than 95 % of the nearest vectors, with their exact distances',
    async ({ filter }) => {
      const table = await createTable(256, 15_000);
      await createVectorIndexIfDue(table, 500);
      const matching = await table.countRows(filter);
      const search = async (
        seed: number,
        configure: (query: VectorQuery) => VectorQuery,
      ): Promise<readonly Found[]> => {
        const query = table.query().nearestTo(createVector(seed, 256)).distanceType('cosine').where(filter);
        return (await configure(query).select(['id', '_distance']).limit(20).toArray()) as Found[];
      };
      let found = 0;
      for (let seed = -20; seed < 0; seed += 1) {
        const exact = await search(seed, (query) => query.bypassVectorIndex());
        const indexed = await search(seed, (query) => configureIndexedSearch(query, 15_000, matching));
        found += exact.filter(({ id }) => indexed.some((one) => one.id === id)).length;
        expect(indexed[0]?._distance).toBeCloseTo(exact[0]?._distance ?? NaN, 5);
      }
      expect(found / (20 * 20)).toBeGreaterThan(0.95);
    },
  );

  it('a search finds as many vectors as it requests, although the filter matches only vectors far from the query', async () => {
    const table = await createTable(16, 15_000);
    await createVectorIndexIfDue(table, 500);
    for (let topic = 1; topic < 10; topic += 1) {
      // The query is about topic 0, but the filter matches only vectors of another topic.
      const query = table.query().nearestTo(createVector(0, 16)).distanceType('cosine');
      const filtered = query
        .where(`id % 100 = ${String(topic)}`)
        .select(['id', '_distance'])
        .limit(20);
      // For these numbers of rows, the query first searches 28 of the 123 partitions.
      const found = await configureIndexedSearch(filtered, 150_000, 150_000).toArray();
      expect(found).toHaveLength(20);
    }
  });

  async function createTable(dimensions: number, rows: number): Promise<Table> {
    const vector = new FixedSizeList(dimensions, new Field('item', new Float32(), true));
    const schema = new Schema([new Field('id', new Int32(), false), new Field('vector', vector, false)]);
    const table = await connection.createEmptyTable('vectors', schema);
    await addVectors(table, dimensions, { from: 0, to: rows });
    return table;
  }
});

interface Found {
  readonly id: number;
  readonly _distance: number;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

async function addVectors(table: Table, dimensions: number, { from, to }: Range): Promise<void> {
  const ids = Array.from({ length: to - from }, (_, at) => from + at);
  await table.add(ids.map((id) => ({ id, vector: Array.from(createVector(id, dimensions)) })));
}

/** Returns a vector near one of 100 topic vectors, because vectors of similar texts are near each other. */
function createVector(seed: number, dimensions: number): Float32Array {
  const topic = createSampleVector(`topic ${String(Math.abs(seed) % 100)}`, dimensions);
  const text = createSampleVector(`text ${String(seed)}`, dimensions);
  return topic.map((value, at) => value + 0.5 * (text[at] ?? 0));
}
