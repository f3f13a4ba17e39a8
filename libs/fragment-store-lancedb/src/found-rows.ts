import type { Table } from '@lancedb/lancedb';
import { DataType, type Data, type Float32, type Table as ArrowTable, type Vector } from 'apache-arrow';
import {
  buildFragmentExpression,
  decodeFragment,
  FRAGMENT_COLUMN,
  type FragmentOfDocument,
} from './fragment-column.js';
import { hasColumn, listColumns } from './table-columns.js';

/** Holds the requested columns of a found row, keyed by column name. */
export type FoundRow = Readonly<Record<string, unknown>>;

/**
 * Minimum size in bytes of a buffer that `releaseBuffers` releases. A smaller buffer can be the memory that Node shares
 * among small buffers, so its release would destroy data that is in use.
 */
const MIN_RELEASED_BYTES = 16_384;

/** Describes the part of the driver's query that `fetchRows` uses. */
interface RowQuery {
  toArrow(): Promise<ArrowTable>;
}

/**
 * Returns the rows of a query as plain objects. The columns of the query must contain texts, numbers or vectors. The
 * rows that `toArray` of the driver returns are slower: each is a proxy that searches for the name of a column at each
 * access.
 */
export async function fetchRows(query: RowQuery): Promise<readonly FoundRow[]> {
  const table = await query.toArrow();
  const rows = Array.from({ length: table.numRows }, (): Record<string, unknown> => ({}));
  for (const { name, type } of table.schema.fields) {
    const column = table.getChild(name);
    const isVector = DataType.isFixedSizeList(type);
    for (const [at, row] of rows.entries()) {
      const value: unknown = column?.get(at);
      row[name] = isVector ? copyVector(value as Vector<Float32> | null) : value;
    }
  }
  releaseBuffers(table);
  return rows;
}

/** Copies a vector of a result, because its numbers are in a buffer that is released afterwards. */
function copyVector(value: Vector<Float32> | null): Float32Array | null {
  return value === null ? null : value.toArray().slice();
}

/**
 * Releases the memory of a result, which cannot be read afterwards. The buffers of the driver are outside of the heap.
 * Without a release, they would cause a garbage collection of the whole heap after every 50 searches. Each of these
 * collections blocks the process for 50 ms.
 */
function releaseBuffers(table: ArrowTable): void {
  const buffers = new Set<ArrayBuffer>();
  const collectBuffers = ({ values, valueOffsets, nullBitmap, children }: Data): void => {
    // Arrow declares all three buffers as present, but `values` is undefined for a column with child columns.
    for (const view of [values, valueOffsets, nullBitmap] as readonly (ArrayBufferView | undefined)[])
      if (view?.buffer instanceof ArrayBuffer) buffers.add(view.buffer);
    children.forEach(collectBuffers);
  };
  for (const { data } of table.batches) collectBuffers(data);
  for (const buffer of buffers) if (buffer.byteLength >= MIN_RELEASED_BYTES) buffer.transfer(0);
}

/**
 * Builds the list of columns that a query selects: the column that `getFragment` reads, and the given columns. For a
 * table of an earlier version of Quarry, the list contains an expression that computes the column that `getFragment`
 * reads.
 */
export async function buildFragmentSelection(
  table: Table,
  columns: readonly string[],
): Promise<string[] | Map<string, string>> {
  if (await hasColumn(table, FRAGMENT_COLUMN)) return [FRAGMENT_COLUMN, ...columns];
  const selection = new Map(columns.map((name) => [name, name]));
  return selection.set(FRAGMENT_COLUMN, buildFragmentExpression(await listColumns(table)));
}

/** Returns the fragment of a row. The query of the row must select the columns of `buildFragmentSelection`. */
export function getFragment(row: FoundRow): FragmentOfDocument {
  return decodeFragment(getTextColumn(row, FRAGMENT_COLUMN));
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

export function getVectorColumn(row: FoundRow, column: string): Float32Array {
  const value = row[column];
  if (!(value instanceof Float32Array))
    throw new TypeError(`expected a vector in column ${column}, found ${typeof value}`);
  return value;
}

export function getOptionalTextColumn(row: FoundRow, column: string): string | null {
  return row[column] === null ? null : getTextColumn(row, column);
}
