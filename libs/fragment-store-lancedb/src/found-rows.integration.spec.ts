import { types } from 'node:util';
import { tableFromArrays } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { fetchRows } from './found-rows.js';
import { openTemporaryDatabase } from './testing/open-temporary-database.js';

describe('fetchRows', () => {
  it('fetchRows reads rows of several batches as plain objects, with the values that `toArray` of the driver returns', async () => {
    const database = await openTemporaryDatabase();
    const table = await database.connection.createTable('rows', [
      { id: 'a', page: 1, location: 'Übersicht', score: 0.5 },
      { id: 'b', page: 2, location: null, score: 1 },
    ]);
    await table.add([{ id: 'c', page: 3, location: '', score: -1 }]);
    const query = table.query().select(['location', 'id', 'page', 'score']);
    expect((await query.toArrow()).batches.length).toBeGreaterThan(1);
    const rows = await fetchRows(query);
    expect(rows.some((row) => types.isProxy(row))).toBe(false);
    expect(rows.toSorted((a, b) => String(a['id']).localeCompare(String(b['id'])))).toEqual([
      { id: 'a', page: 1, location: 'Übersicht', score: 0.5 },
      { id: 'b', page: 2, location: null, score: 1 },
      { id: 'c', page: 3, location: '', score: -1 },
    ]);
    table.close();
    await database.remove();
  });

  it('fetchRows releases the memory of a large result, but not of a small buffer, whose memory other buffers may share', async () => {
    const database = await openTemporaryDatabase();
    const text = 'heron '.repeat(10_000);
    const table = await database.connection.createTable('rows', [{ text, page: 1 }]);
    const result = await table.query().toArrow();
    const [large] = result.batches.flatMap(({ data }) => data.children.map(({ values }) => values as Uint8Array));
    expect(large?.buffer.byteLength).toBeGreaterThan(text.length);
    expect(await fetchRows({ toArrow: async () => Promise.resolve(result) })).toEqual([{ text, page: 1 }]);
    expect(large?.buffer.byteLength).toBe(0);
    const small = tableFromArrays({ page: Int32Array.of(1) });
    await fetchRows({ toArrow: async () => Promise.resolve(small) });
    expect(small.getChild('page')?.get(0)).toBe(1);
    table.close();
    await database.remove();
  });
});
