import type { Block } from '../block.js';
import { isHeaderRow, createTableBlocks } from '../tables/format-table.js';
import type { PageRectangle } from '../text-rectangle.js';
import type { PageLine } from './line-paragraphs.js';
import type { RectangleFinder } from './rectangle-finder.js';
import { findTableCells, type TableCells } from './table-cells.js';

/** Maximum number of rows at the start of a table that count as column headers. */
const MAX_HEADER_ROWS = 5;

/**
 * Builds Markdown tables from the lines of a table. Each page has a table of its own, with the column headers.
 *
 * @param text text of `lines`, with one table row per line
 * @returns undefined if no columns are found, or if `text` and `lines` have different numbers of lines
 */
export function buildTableBlocks(
  lines: readonly PageLine[],
  text: string,
  headingPath: readonly string[],
  rectangleFinder: RectangleFinder,
): Iterable<Block> | undefined {
  if (text.split('\n').length !== lines.length) return undefined;
  const cells = findTableCells(lines);
  return cells === undefined ? undefined : createPageTables(lines, cells, headingPath, rectangleFinder);
}

function* createPageTables(
  lines: readonly PageLine[],
  { rows, headerRows }: TableCells,
  headingPath: readonly string[],
  rectangleFinder: RectangleFinder,
): Generator<Block> {
  const headerRowCount = countHeaderRows(rows, headerRows, lines);
  const hasHeader = headerRowCount > 0;
  const header = hasHeader ? [joinHeaderRows(rows.slice(0, headerRowCount))] : [];
  const repeated = rows.slice(0, headerRowCount).map(createRowKey);
  for (const page of new Set(lines.map((line) => line.page))) {
    const pageRows = rows.flatMap((row, index) => {
      const line = lines[index];
      return line?.page === page ? [{ row, line, isRepeated: repeated.includes(createRowKey(row)), index }] : [];
    });
    const body = pageRows.filter(({ index, isRepeated }) => index >= headerRowCount && !isRepeated);
    const headerLines = pageRows.filter(({ isRepeated }) => isRepeated).map(({ line }) => line);
    const shownHeader = (headerLines.length < headerRowCount ? lines : headerLines).slice(0, headerRowCount);
    const rowLines = [...(hasHeader ? [shownHeader] : []), ...body.map(({ line }) => [line])];
    const getRowRectangles = (row: number): readonly PageRectangle[] =>
      (rowLines[row] ?? []).flatMap((line) => rectangleFinder.findLineRectangle(line));
    const table = {
      rows: [...header, ...body.map(({ row }) => row)],
      firstRow: null,
      hasHeader,
      getRowRectangles,
    };
    if (body.length > 0) yield* createTableBlocks({ ...table, position: { headingPath, page, location: null } });
  }
}

/**
 * Returns the number of rows at the start of a table that are column headers. @param foundRows number of header rows
 * that `findTableCells` found
 */
function countHeaderRows(rows: readonly (readonly string[])[], foundRows: number, lines: readonly PageLine[]): number {
  const below = rows.slice(foundRows);
  if (foundRows > 0 && foundRows <= MAX_HEADER_ROWS && below.length > 0)
    return Math.min(MAX_HEADER_ROWS, isFirstRowHeader(below) ? foundRows + 1 : foundRows);
  const bold = lines.findIndex((line) => !line.bold);
  if (bold > 1 && bold <= MAX_HEADER_ROWS && lines[bold - 1]?.page === lines[0]?.page) return bold;
  return isFirstRowHeader(rows) ? 1 : 0;
}

/**
 * Returns whether the first row of a table is a header: its cells contain no digits, but a cell of another row does.
 */
export function isFirstRowHeader(rows: readonly (readonly string[])[]): boolean {
  return isHeaderRow(rows) && !hasCellWithDigit(rows[0]) && rows.slice(1).some(hasCellWithDigit);
}

function hasCellWithDigit(row: readonly string[] = []): boolean {
  return row.some((cell) => /\d/.test(cell));
}

/** Joins header rows into one row: the texts of each column, separated by spaces. */
function joinHeaderRows(rows: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = rows;
  return first.map((_, column) =>
    rows
      .map((row) => row[column] ?? '')
      .filter((part) => part !== '')
      .join(' '),
  );
}

/** Returns a key that is equal for rows with the same texts, to find headers that are repeated on each page. */
function createRowKey(row: readonly string[]): string {
  return row.join('\n');
}
