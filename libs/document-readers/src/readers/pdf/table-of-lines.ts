import type { Block } from '../block.js';
import { looksLikeHeader, tableBlocks } from '../tables/table-blocks.js';
import type { PageLine } from './line-paragraphs.js';
import { cellsOf, type Cells } from './row-cells.js';

/** More rows than this are no names of columns. */
const MOST_NAMES = 5;

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
  const cells = cellsOf(lines);
  return cells === undefined ? undefined : blocksOf(lines, cells, headingPath);
}

function* blocksOf(
  lines: readonly PageLine[],
  { rows, above }: Cells,
  headingPath: readonly string[],
): Generator<Block> {
  const names = namesIn(rows, above, lines);
  const hasHeader = names > 0;
  const header = hasHeader ? [oneRow(rows.slice(0, names))] : [];
  const again = rows.slice(0, names).map(keyOf);
  for (const page of new Set(lines.map((line) => line.page))) {
    const onPage = rows.filter(
      (row, index) => index >= names && lines[index]?.page === page && !again.includes(keyOf(row)),
    );
    const place = { headingPath, page, location: null };
    if (onPage.length > 0) yield* tableBlocks({ rows: [...header, ...onPage], firstRow: null, hasHeader, place });
  }
}

/** How many of the first rows name the columns. */
function namesIn(rows: readonly (readonly string[])[], above: number, lines: readonly PageLine[]): number {
  const below = rows.slice(above);
  if (above > 0 && above <= MOST_NAMES && below.length > 0) return looksLikeNames(below) ? above + 1 : above;
  const bold = lines.findIndex((line) => !line.bold);
  if (bold > 1 && bold <= MOST_NAMES && lines[bold - 1]?.page === lines[0]?.page) return bold;
  return looksLikeNames(rows) ? 1 : 0;
}

/** Whether the first row names the columns: names rarely have a digit, and the rows of a table most often do. */
export function looksLikeNames(rows: readonly (readonly string[])[]): boolean {
  return looksLikeHeader(rows) && !hasDigit(rows[0]) && rows.slice(1).some(hasDigit);
}

function hasDigit(row: readonly string[] = []): boolean {
  return row.some((cell) => /\d/.test(cell));
}

/** A name of several lines is one. */
function oneRow(rows: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = rows;
  return first.map((_, column) =>
    rows
      .map((row) => row[column] ?? '')
      .filter((part) => part !== '')
      .join(' '),
  );
}

/** The names of the columns stand on each page again. */
function keyOf(row: readonly string[]): string {
  return row.join('\n');
}
