import type { Block } from '../block.js';
import { looksLikeHeader, tableBlocks } from '../tables/table-blocks.js';
import type { PageLine } from './paragraphs.js';
import { cellsOf } from './row-cells.js';

/**
 * A table's rows as Markdown, a block a page, each under the names of the columns.
 *
 * @param text the same rows, one a line
 * @returns undefined where no columns can be told
 */
export function tableOfLines(
  lines: readonly PageLine[],
  text: string,
  headingPath: readonly string[],
): Iterable<Block> | undefined {
  if (text.split('\n').length !== lines.length) return undefined;
  const rows = cellsOf(lines);
  return rows === undefined ? undefined : blocksOf(lines, rows, headingPath);
}

function* blocksOf(
  lines: readonly PageLine[],
  rows: readonly (readonly string[])[],
  headingPath: readonly string[],
): Generator<Block> {
  const hasHeader = looksLikeHeader(rows) && !hasDigit(rows[0]) && rows.slice(1).some(hasDigit);
  const header = hasHeader ? rows.slice(0, 1) : [];
  for (const page of new Set(lines.map((line) => line.page))) {
    const onPage = rows.filter((row, index) => lines[index]?.page === page && !(hasHeader && isSame(row, rows[0])));
    const place = { headingPath, page, location: null };
    if (onPage.length > 0) yield* tableBlocks({ rows: [...header, ...onPage], firstRow: null, hasHeader, place });
  }
}

/** The names of columns rarely have one, and the rows of a table most often do. */
function hasDigit(row: readonly string[] = []): boolean {
  return row.some((cell) => /\d/.test(cell));
}

/** The names of the columns stand on each page again. */
function isSame(row: readonly string[], other: readonly string[] = []): boolean {
  return row.every((cell, index) => cell === other[index]);
}
