import type { Table } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import { decodeRectangles, type ScoredFragment, type StoredFragment } from '@quarry/fragment-store';

/** Holds the requested columns of a found row, by name. */
export type FoundRow = Readonly<Record<string, unknown>>;

/** Describes the methods of a query of the driver that `fetchRows` calls. */
interface RowQuery {
  toArrow(): Promise<ArrowTable>;
}

/**
 * Returns the rows of a query as plain objects. The rows that `toArray` of the driver returns are slower: each is a
 * proxy that searches for the name of a column at each access.
 */
export async function fetchRows(query: RowQuery): Promise<readonly FoundRow[]> {
  const table = await query.toArrow();
  const rows = Array.from({ length: table.numRows }, (): Record<string, unknown> => ({}));
  for (const { name } of table.schema.fields) {
    const column = table.getChild(name);
    for (const [at, row] of rows.entries()) row[name] = column?.get(at);
  }
  return rows;
}

/** Lists the columns of a fragment that tables of all versions have. */
const FRAGMENT_COLUMNS = [
  ...['id', 'datastore_id', 'datasource_id', 'document_key', 'custom_id', 'source'],
  ...['content_hash', 'generation'],
  ...['page', 'location', 'ordinal', 'context', 'text'],
];

/** Name of a column that searches read, but that tables of earlier versions may lack. */
type AddedColumn = 'rectangles' | 'metadata';

/** Caches, for each added column, the tables that have the column. A column is never removed from a table. */
const tablesWith: Readonly<Record<AddedColumn, WeakSet<Table>>> = {
  rectangles: new WeakSet(),
  metadata: new WeakSet(),
};

/** Returns true if a table has a column. The first write adds missing columns to a table of an earlier version. */
export async function hasColumn(table: Table, column: AddedColumn): Promise<boolean> {
  if (tablesWith[column].has(table)) return true;
  const { fields } = await table.schema();
  if (!fields.some(({ name }) => name === column)) return false;
  tablesWith[column].add(table);
  return true;
}

/**
 * Returns the columns of a table from which `parseScoredFragment` reads a fragment. A table of an earlier version has
 * fewer.
 */
export async function listFragmentColumns(table: Table): Promise<readonly string[]> {
  return (await hasColumn(table, 'rectangles')) ? [...FRAGMENT_COLUMNS, 'rectangles'] : FRAGMENT_COLUMNS;
}

export function parseScoredFragment(row: FoundRow, score: number): ScoredFragment {
  return { ...parseStoredFragment(row), score };
}

export function parseStoredFragment(row: FoundRow): StoredFragment {
  return {
    id: getTextColumn(row, 'id'),
    datastoreId: getTextColumn(row, 'datastore_id'),
    datasourceId: getTextColumn(row, 'datasource_id'),
    documentKey: getTextColumn(row, 'document_key'),
    customId: getOptionalTextColumn(row, 'custom_id'),
    source: getOptionalTextColumn(row, 'source'),
    version: getTextColumn(row, 'content_hash'),
    generation: getNumberColumn(row, 'generation'),
    page: row['page'] === null ? null : getNumberColumn(row, 'page'),
    location: getOptionalTextColumn(row, 'location'),
    // A table of an earlier version has no rectangles.
    rectangles: decodeRectangles(row['rectangles'] === undefined ? null : getOptionalTextColumn(row, 'rectangles')),
    ordinal: getNumberColumn(row, 'ordinal'),
    context: getTextColumn(row, 'context'),
    text: getTextColumn(row, 'text'),
  };
}

export function getTextColumn(row: FoundRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`expected text in column ${column}, found ${typeof value}`);
  return value;
}

export function getNumberColumn(row: FoundRow, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`expected a number in column ${column}, found ${typeof value}`);
  return value;
}

export function getOptionalTextColumn(row: FoundRow, column: string): string | null {
  return row[column] === null ? null : getTextColumn(row, column);
}
