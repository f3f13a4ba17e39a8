/** A range of cells that is shown as one, counted from 0, its ends included. */
interface Merge {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const MERGE = /<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"/g;
const MAX_MERGES = 10_000;

/**
 * Writes a merged cell's text in each place that it covers, so that every row can be read by itself; not where nothing stands
 * beside it, as with a title over a table. Source: ECMA-376, part 1, section 18.3.1.55.
 *
 * @param rows all equally wide @param sheet the sheet's part as it is written
 */
export function withMerges(rows: readonly (readonly string[])[], sheet: string): readonly (readonly string[])[] {
  const merges = mergesOf(sheet);
  if (merges.length === 0) return rows;
  const filled = rows.map((row) => [...row]);
  for (const merge of merges) {
    const text = rows[merge.top]?.[merge.left] ?? '';
    if (text.trim() === '' || standsAlone(rows, merge)) continue;
    for (const row of filled.slice(merge.top, merge.bottom + 1)) row.fill(text, merge.left, merge.right + 1);
  }
  return filled;
}

/** Merges are written behind the cells. */
function mergesOf(sheet: string): readonly Merge[] {
  const behind = sheet.slice(Math.max(0, sheet.lastIndexOf('sheetData>')));
  return [...behind.matchAll(MERGE)].slice(0, MAX_MERGES).map(([, left = '', top, right = '', bottom]) => ({
    top: Number(top) - 1,
    bottom: Number(bottom) - 1,
    left: columnOf(left),
    right: columnOf(right),
  }));
}

function standsAlone(rows: readonly (readonly string[])[], { top, bottom, left, right }: Merge): boolean {
  return rows
    .slice(top, bottom + 1)
    .every((row) => row.every((cell, column) => (column >= left && column <= right) || cell.trim() === ''));
}

/** A is 0, AA is 26. */
function columnOf(letters: string): number {
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
