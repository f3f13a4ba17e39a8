import type { Table } from '@lancedb/lancedb';
import { DataType } from 'apache-arrow';
import { FRAGMENT_COLUMN } from './fragment-column.js';

/** Name of a column that searches read, but that tables of earlier versions of Quarry may lack. */
type AddedColumn = typeof FRAGMENT_COLUMN | 'metadata' | 'language' | 'profile';

/** Caches, for each `AddedColumn`, the tables that have the column. An upgraded table never loses a column. */
const tablesWith: Readonly<Record<AddedColumn, WeakSet<Table>>> = {
  [FRAGMENT_COLUMN]: new WeakSet(),
  metadata: new WeakSet(),
  language: new WeakSet(),
  profile: new WeakSet(),
};

/**
 * Returns true if a table has a column. The first write adds missing columns to a table of an earlier version of
 * Quarry.
 */
export async function hasColumn(table: Table, column: AddedColumn): Promise<boolean> {
  if (tablesWith[column].has(table)) return true;
  if (!(await listColumns(table)).has(column)) return false;
  tablesWith[column].add(table);
  return true;
}

export async function listColumns(table: Table): Promise<Set<string>> {
  return new Set((await table.schema()).fields.map(({ name }) => name));
}

/** Returns the number of dimensions of the vectors of a table, or null if the table has no vectors. */
export async function readVectorDimensions(table: Table): Promise<number | null> {
  const vector = (await table.schema()).fields.find(({ name }) => name === 'vector');
  if (vector === undefined) return null;
  const type: unknown = vector.type;
  if (DataType.isFixedSizeList(type)) return type.listSize;
  throw new TypeError(`expected vectors of a fixed size in the table ${table.name}, found the type ${String(type)}`);
}
