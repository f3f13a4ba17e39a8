/** Describes the filled cells of a row, with column numbers from 0. */
export type SparseRow = [column: number, text: string][];

const EMPTY: readonly string[] = [];

/**
 * Converts sparse rows to arrays. Consecutive empty columns are reduced to one, because a sheet can have a cell in its last
 * column.
 *
 * @returns the rows, and the column of the sheet for each array index
 */
export function toDenseRows(rows: ReadonlyMap<number, SparseRow>): {
  readonly dense: readonly (readonly string[])[];
  readonly columns: readonly number[];
} {
  const used = new Set<number>();
  let last = -1;
  for (const [number, row] of rows) {
    last = Math.max(last, number);
    for (const [column] of row) used.add(column);
  }
  const columns = [...used]
    .sort((one, other) => one - other)
    .flatMap((column) => (column === 0 || used.has(column - 1) ? [column] : [column - 1, column]));
  const indexOf = new Map(columns.map((column, index) => [column, index]));
  const dense = Array.from({ length: last + 1 }, (_, number) => denseRow(rows.get(number), indexOf));
  return { dense, columns };
}

function denseRow(row: SparseRow | undefined, indexOf: ReadonlyMap<number, number>): readonly string[] {
  if (row === undefined) return EMPTY;
  const cells: string[] = [];
  for (const [column, text] of row) {
    const index = indexOf.get(column) ?? 0;
    while (cells.length < index) cells.push('');
    cells[index] = text;
  }
  return cells;
}
