import type { Connection, Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { buildFragmentExpression, FRAGMENT_COLUMN, REPLACED_COLUMNS } from './fragment-column.js';
import { SPLIT_METADATA } from './metadata-column.js';
import { listColumns } from './table-columns.js';
import { INDEXES } from './table-schema.js';

const NOT_FOUND = /^Table '.*' was not found/s;

/** Opens a table. @returns undefined if the table does not exist */
export async function openTable(connection: Connection, name: string): Promise<Table | undefined> {
  try {
    return await connection.openTable(name);
  } catch (error) {
    if (error instanceof Error && NOT_FOUND.test(error.message)) return undefined;
    throw error;
  }
}

/** Contains a table and a snapshot, that is, the same table at the version that the table had when it was opened. */
export interface OpenedTable {
  readonly table: Table;
  readonly snapshot: Table;
}

/** Opens an existing table, and a snapshot that does not change. */
export async function reopenTable(connection: Connection, name: string): Promise<OpenedTable> {
  const [table, snapshot] = await Promise.all([connection.openTable(name), connection.openTable(name)]);
  await snapshot.checkout(await snapshot.version());
  return { table, snapshot };
}

/**
 * Opens a table for writing. Creates the table, its columns and its indexes if they are missing, for example after a
 * crash.
 */
export async function openOrCreateTable(connection: Connection, name: string, schema: Schema): Promise<Table> {
  const table =
    (await openTable(connection, name)) ??
    (await connection.createEmptyTable(name, schema, { mode: 'create', existOk: true }));
  await updateColumnsAndIndexes(table);
  return table;
}

/** Returns true if a table has an index of terms. A table without this index has no rows. */
export async function hasTermIndex(table: Table): Promise<boolean> {
  return (await table.listIndices()).some(({ columns }) => columns.includes('terms'));
}

/** Updates the columns of a table to this version of Quarry, and adds missing indexes. */
export async function updateColumnsAndIndexes(table: Table): Promise<void> {
  await updateColumns(table);
  const indexed = new Set((await table.listIndices()).flatMap(({ columns }) => columns));
  for (const { column, config } of INDEXES) {
    if (!indexed.has(column)) await table.createIndex(column, { config: config() });
  }
}

/**
 * Lists the columns that tables of earlier versions of Quarry lack, with their values for existing rows. A value can
 * refer to columns that are listed before it.
 */
const ADDED_COLUMNS = {
  price: 'CAST(NULL AS DOUBLE)',
  stock_status: 'CAST(NULL AS STRING)',
  language: 'CAST(NULL AS STRING)',
  profile: 'CAST(NULL AS STRING)',
  metadata: 'CAST(NULL AS STRING)',
  entries: SPLIT_METADATA,
};

/**
 * Adds missing columns to a table. Then removes the columns of earlier versions of Quarry that a new column replaces.
 */
async function updateColumns(table: Table): Promise<void> {
  const columns = await listColumns(table);
  const replaced = REPLACED_COLUMNS.filter((name) => columns.has(name));
  // A killed process may have added the column, and an earlier version may have written rows without it afterwards.
  if (replaced.length > 0 && columns.delete(FRAGMENT_COLUMN)) await table.dropColumns([FRAGMENT_COLUMN]);
  const added = { ...ADDED_COLUMNS, [FRAGMENT_COLUMN]: buildFragmentExpression(columns) };
  for (const [name, valueSql] of Object.entries(added)) {
    if (!columns.has(name)) await table.addColumns([{ name, valueSql }]);
  }
  if (replaced.length > 0) await table.dropColumns(replaced);
}
