import type { Block } from '../block.js';
import { isHeaderRow, createTableBlocks } from '../tables/table-blocks.js';
import type { PageLine } from './line-paragraphs.js';
import { findCells, type Cells } from './table-cells.js';

/** Maximum number of rows of column headers. */
const MAX_HEADER_ROWS = 5;

/**
 * Builds Markdown tables from rows, one block per page, each with the column headers.
 *
 * @param text the same rows, one per line
 * @returns undefined if no columns are found
 */
export function buildTable(
  lines: readonly PageLine[],
  text: string,
  headingPath: readonly string[],
): Iterable<Block> | undefined {
  if (text.split('\n').length !== lines.length) return undefined;
  const cells = findCells(lines);
  return cells === undefined ? undefined : createBlocks(lines, cells, headingPath);
}

function* createBlocks(
  lines: readonly PageLine[],
  { rows, headerRows }: Cells,
  headingPath: readonly string[],
): Generator<Block> {
  const headerRowCount = countHeaderRows(rows, headerRows, lines);
  const hasHeader = headerRowCount > 0;
  const header = hasHeader ? [joinRows(rows.slice(0, headerRowCount))] : [];
  const repeated = rows.slice(0, headerRowCount).map(createRowKey);
  for (const page of new Set(lines.map((line) => line.page))) {
    const onPage = rows.filter(
      (row, index) => index >= headerRowCount && lines[index]?.page === page && !repeated.includes(createRowKey(row)),
    );
    const place = { headingPath, page, location: null };
    if (onPage.length > 0) yield* createTableBlocks({ rows: [...header, ...onPage], firstRow: null, hasHeader, place });
  }
}

/** Returns the number of rows at the start that are column headers. */
function countHeaderRows(rows: readonly (readonly string[])[], headerRows: number, lines: readonly PageLine[]): number {
  const below = rows.slice(headerRows);
  if (headerRows > 0 && headerRows <= MAX_HEADER_ROWS && below.length > 0)
    return isFirstRowHeader(below) ? headerRows + 1 : headerRows;
  const bold = lines.findIndex((line) => !line.bold);
  if (bold > 1 && bold <= MAX_HEADER_ROWS && lines[bold - 1]?.page === lines[0]?.page) return bold;
  return isFirstRowHeader(rows) ? 1 : 0;
}

/** Returns whether the first row is a header: headers rarely contain digits, and other rows usually do. */
export function isFirstRowHeader(rows: readonly (readonly string[])[]): boolean {
  return isHeaderRow(rows) && !hasDigit(rows[0]) && rows.slice(1).some(hasDigit);
}

function hasDigit(row: readonly string[] = []): boolean {
  return row.some((cell) => /\d/.test(cell));
}

/** Joins the lines of each header. */
function joinRows(rows: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = rows;
  return first.map((_, column) =>
    rows
      .map((row) => row[column] ?? '')
      .filter((part) => part !== '')
      .join(' '),
  );
}

/** Identifies a row, to skip headers that are repeated on each page. */
function createRowKey(row: readonly string[]): string {
  return row.join('\n');
}
