/** A range of cells that is shown as one, counted from 0, its ends included. */
export interface Merge {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** What covers more is no cell of a table. */
const MAX_CELLS = 100_000;

/**
 * Writes a merged cell's text in each place that it covers, so that every row can be read by itself; not where nothing stands
 * beside it, as with a title over a table. Source: ECMA-376, part 1, section 18.3.1.55.
 *
 * @param columns of the sheet that the rows have
 */
export function withMerges(
  rows: readonly (readonly string[])[],
  columns: readonly number[],
  merges: readonly Merge[],
): readonly (readonly string[])[] {
  if (merges.length === 0) return rows;
  const filled = [...rows];
  for (const merge of merges) {
    const covered = coveredBy(merge, rows, columns);
    const text = rows[covered.top]?.[covered.left] ?? '';
    if (text.trim() === '' || sizeOf(covered) > MAX_CELLS || standsAlone(rows, covered)) continue;
    for (let row = covered.top; row <= covered.bottom; row += 1) {
      filled[row] = withText(filled[row] ?? [], covered, text);
    }
  }
  return filled;
}

/** The part of a merge that the rows have, by their own indexes. */
function coveredBy(merge: Merge, rows: readonly unknown[], columns: readonly number[]): Merge {
  return {
    top: merge.top,
    bottom: Math.min(merge.bottom, rows.length - 1),
    left: columns.indexOf(merge.left),
    right: columns.findLastIndex((column) => column <= merge.right),
  };
}

function sizeOf({ top, bottom, left, right }: Merge): number {
  return (bottom - top + 1) * (right - left + 1);
}

function standsAlone(rows: readonly (readonly string[])[], { top, bottom, left, right }: Merge): boolean {
  return rows
    .slice(top, bottom + 1)
    .every((row) => row.every((cell, column) => (column >= left && column <= right) || cell.trim() === ''));
}

function withText(row: readonly string[], { left, right }: Merge, text: string): readonly string[] {
  return Array.from({ length: Math.max(row.length, right + 1) }, (_, column) =>
    column >= left && column <= right ? text : (row[column] ?? ''),
  );
}
