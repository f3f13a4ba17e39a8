import type { Table } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import { decodeRectangles, type ScoredFragment, type StoredFragment } from '@quarry/fragment-store';

/** Describes a found row, with the requested columns. */
export type FoundRow = Readonly<Record<string, unknown>>;

/** A query of the driver, with the columns that it selects. */
interface RowQuery {
  toArrow(): Promise<ArrowTable>;
}

/**
 * Returns the rows of a query as plain objects. The rows of the driver's `toArray` are proxies, which are slower
 * because they search the name of a column at each access.
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

/** Columns that tables of earlier versions lack, and that searches read. */
type AddedColumn = 'rectangles' | 'metadata';

/** Caches which tables have an added column. A column is never removed from a table. */
const tablesWith: Readonly<Record<AddedColumn, WeakSet<Table>>> = {
  rectangles: new WeakSet(),
  metadata: new WeakSet(),
};

/** Returns true if a table has a column. The first write adds it to a table of an earlier version. */
export async function hasColumn(table: Table, column: AddedColumn): Promise<boolean> {
  if (tablesWith[column].has(table)) return true;
  const { fields } = await table.schema();
  if (!fields.some(({ name }) => name === column)) return false;
  tablesWith[column].add(table);
  return true;
}

/**
 * Returns the columns from which `parseScoredFragment` reads a fragment. A table of an earlier version lacks some of
 * them.
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
