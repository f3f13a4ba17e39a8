/** Describes a range of merged cells. Indexes are from 0; `bottom` and `right` are inclusive. */
export interface Merge {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Maximum number of cells of a merged range whose text is repeated. The text of a larger range is not repeated. */
const MAX_CELLS = 100_000;

/**
 * Repeats the text of a merged cell in each position that the cell covers, so that each row is complete. Does not
 * repeat a text that is the only text in its rows, such as a title above a table. Source: ECMA-376, part 1, section
 * 18.3.1.55.
 *
 * @param columns number of the sheet column, from 0, at each array index of a row
 */
export function fillMergedCells(
  rows: readonly (readonly string[])[],
  columns: readonly number[],
  merges: readonly Merge[],
): readonly (readonly string[])[] {
  if (merges.length === 0) return rows;
  const filled = [...rows];
  for (const merge of merges) {
    const covered = clipMergedRange(merge, rows, columns);
    const text = rows[covered.top]?.[covered.left] ?? '';
    if (text.trim() === '' || countMergedCells(covered) > MAX_CELLS || areCellsBesideMergeEmpty(rows, covered))
      continue;
    for (let row = covered.top; row <= covered.bottom; row += 1) {
      filled[row] = fillMergedColumns(filled[row] ?? [], covered, text);
    }
  }
  return filled;
}

/** Limits a merged range to the existing rows, and converts its column numbers to array indexes of `columns`. */
function clipMergedRange(merge: Merge, rows: readonly unknown[], columns: readonly number[]): Merge {
  return {
    top: merge.top,
    bottom: Math.min(merge.bottom, rows.length - 1),
    left: columns.indexOf(merge.left),
    right: columns.findLastIndex((column) => column <= merge.right),
  };
}

function countMergedCells({ top, bottom, left, right }: Merge): number {
  return (bottom - top + 1) * (right - left + 1);
}

function areCellsBesideMergeEmpty(rows: readonly (readonly string[])[], { top, bottom, left, right }: Merge): boolean {
  return rows
    .slice(top, bottom + 1)
    .every((row) => row.every((cell, column) => (column >= left && column <= right) || cell.trim() === ''));
}

function fillMergedColumns(row: readonly string[], { left, right }: Merge, text: string): readonly string[] {
  return Array.from({ length: Math.max(row.length, right + 1) }, (_, column) =>
    column >= left && column <= right ? text : (row[column] ?? ''),
  );
}
