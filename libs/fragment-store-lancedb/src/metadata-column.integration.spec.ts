import { type Connection, type Table } from '@lancedb/lancedb';
import type { MetadataFilter } from '@quarry/fragment-store';
import { createSampleVersion, createSampleDocument, createSampleFragment } from '@quarry/fragment-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { areMostEntriesIndexed } from './entries-index.js';
import { DEFAULT_MAINTENANCE } from './maintenance.js';
import { buildMetadataCondition } from './metadata-column.js';
import { Mutex } from './mutex.js';
import { optimizeTable } from './optimize-table.js';
import { buildArrowTable, buildReplacementRows } from './rows.js';
import { createTableSchema } from './table-schema.js';
import { openOrCreateTable } from './tables.js';
import { openTemporaryDatabase, type TemporaryDatabase } from './testing/open-temporary-database.js';

const COLUMNS = { text: "coalesce(metadata, '')", entries: 'entries' };
const RED: MetadataFilter = { type: 'eq', key: 'color', value: 'red' };

describe('the condition of a metadata filter', () => {
  let database: TemporaryDatabase;
  let connection: Connection;
  let table: Table;
  beforeEach(async () => {
    database = await openTemporaryDatabase();
    ({ connection } = database);
    const schema = createTableSchema(null);
    table = await openOrCreateTable(connection, 'fragments', schema);
    for (const metadata of [{ color: 'red', size: 5 }, { color: ['blue', 'green'], size: 7 }, undefined]) {
      const fragments = [createSampleFragment('heron', { vector: null })];
      const parts = { fragments, ...(metadata === undefined ? {} : { metadata }) };
      const version = createSampleVersion(createSampleDocument(), [], parts);
      await table.add(buildArrowTable(schema, buildReplacementRows({ version, terms: ['heron'], profile: '' }, 0)));
    }
  });
  afterEach(async () => {
    table.close();
    await database.remove();
  });

  const explainFilter = (filter: MetadataFilter): Promise<string> =>
    table.query().where(buildMetadataCondition(filter, COLUMNS)).explainPlan(true);

  it.each<readonly [MetadataFilter, number]>([
    [RED, 1],
    [{ type: 'eq', key: 'size', value: 7 }, 1],
    [{ type: 'in', key: 'color', value: ['red', 'green'] }, 2],
    [{ type: 'and', filters: [RED, { type: 'gt', key: 'size', value: 4 }] }, 1],
    [{ type: 'or', filters: [RED, { type: 'eq', key: 'size', value: 7 }] }, 2],
  ])(
    'the filter %j uses the index of the column `entries`, and matches the same rows before and after the rows are indexed',
    async (filter, matches) => {
      expect(await areMostEntriesIndexed(table)).toBe(false);
      expect(await table.countRows(buildMetadataCondition(filter, COLUMNS))).toBe(matches);
      await optimizeTable(table, new Mutex(), DEFAULT_MAINTENANCE);
      expect(await areMostEntriesIndexed(table)).toBe(true);
      expect(await explainFilter(filter)).toMatch(/ScalarIndexQuery.*entries_idx/);
      expect(await table.countRows(buildMetadataCondition(filter, COLUMNS))).toBe(matches);
    },
  );

  it.each<readonly [MetadataFilter, number]>([
    [{ type: 'ne', key: 'color', value: 'red' }, 2],
    [{ type: 'nin', key: 'color', value: ['red', 'green'] }, 1],
    [{ type: 'gt', key: 'size', value: 4 }, 2],
    [{ type: 'or', filters: [RED, { type: 'gt', key: 'size', value: 6 }] }, 2],
    [{ type: 'or', filters: [{ type: 'and', filters: [RED, { type: 'ne', key: 'size', value: 5 }] }, RED] }, 1],
  ])(
    'the filter %j searches the text in the column `metadata` instead of the list in `entries`',
    async (filter, matches) => {
      await optimizeTable(table, new Mutex(), DEFAULT_MAINTENANCE);
      expect(await explainFilter(filter)).not.toContain('array_has_any');
      expect(await table.countRows(buildMetadataCondition(filter, COLUMNS))).toBe(matches);
    },
  );
});
