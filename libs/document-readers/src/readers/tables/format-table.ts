import type { Block, BlockPosition } from '../block.js';
import { getDisplayedRow } from './get-displayed-row.js';
import type { PageRectangle, TextRectangle } from '../text-rectangle.js';

export interface Table {
  /** Cells of each row of the table. All rows have the same number of cells. An empty cell is ''. */
  readonly rows: readonly (readonly string[])[];
  /**
   * Row number of the first row, if the `emptyRows` of the position are not counted. Null if the rows have no numbers.
   */
  readonly firstRow: number | null;
  /** True if the first row is the header. */
  readonly hasHeader: boolean;
  /** Returns the page rectangles of the row with the index `row`, from 0. Absent if the table has no rectangles. */
  readonly getRowRectangles?: (row: number) => readonly PageRectangle[];
  readonly position: BlockPosition;
}

/** Maximum number of table rows per block. */
const ROWS_PER_BLOCK = 500;
/**
 * Maximum number of characters of a table header. In a table with a longer header, each value is written on a line of
 * its own, after its column header.
 */
const MAX_HEADER_CHARACTERS = 800;
const HEADER_LINES = 2;

/**
 * Yields the blocks of a table in Markdown. If the header is longer than `MAX_HEADER_CHARACTERS`, yields a record per
 * row instead, with one value per line.
 */
export function* createTableBlocks(table: Table): Generator<Block> {
  const { rows, hasHeader, position } = table;
  const [first = []] = rows;
  if (!hasHeader) yield* createRowBlocks(table, '');
  else if (rows.length === 1) {
    const text = formatMarkdownRow(first);
    yield { ...position, kind: 'table', text, ...computeRowRectangles(table, 0, text) };
  } else if (formatMarkdownRow(first).length > MAX_HEADER_CHARACTERS) yield* createRecordBlocks(table, first);
  else yield* createRowBlocks(table, `${formatMarkdownRow(first)}\n${formatHeaderSeparator(first)}\n`);
}

/** Creates the blocks of a table in Markdown. @param header lines of the header; '' if the table has no header */
function* createRowBlocks(table: Table, header: string): Generator<Block> {
  const { rows, firstRow, position } = table;
  const headerRows = header === '' ? 0 : 1;
  for (let start = headerRows; start < rows.length; start += ROWS_PER_BLOCK) {
    const lines = rows.slice(start, start + ROWS_PER_BLOCK).map(formatMarkdownRow);
    const headerLines = header === '' ? 0 : HEADER_LINES;
    const counted = firstRow === null ? {} : { firstRow: firstRow + start };
    const text = header + lines.join('\n');
    yield {
      ...position,
      kind: 'table',
      text,
      headerLines,
      ...counted,
      ...computeTableRectangles(table, { header, lines, start }),
    };
  }
}

interface RowLines {
  readonly header: string;
  /** Markdown lines of the rows from index `start`, one line per row. */
  readonly lines: readonly string[];
  readonly start: number;
}

/** Returns the rectangles of the text that consists of a header and the lines of rows. */
function computeTableRectangles(table: Table, { header, lines, start }: RowLines): Pick<Block, 'rectangles'> {
  if (table.getRowRectangles === undefined) return {};
  const rectangles: TextRectangle[] = [];
  if (header !== '') rectangles.push(...(computeRowRectangles(table, 0, header.trimEnd()).rectangles ?? []));
  let nextStart = header.length;
  for (const [index, line] of lines.entries()) {
    const offset = nextStart;
    for (const rectangle of computeRowRectangles(table, start + index, line).rectangles ?? [])
      rectangles.push({ ...rectangle, start: offset, end: offset + line.length });
    nextStart += line.length + 1;
  }
  return { rectangles };
}

/** Returns the rectangles of a row. Each rectangle refers to the whole text of the row. */
function computeRowRectangles({ getRowRectangles }: Table, row: number, text: string): Pick<Block, 'rectangles'> {
  return getRowRectangles === undefined
    ? {}
    : { rectangles: getRowRectangles(row).map((rectangle) => ({ ...rectangle, start: 0, end: text.length })) };
}

function* createRecordBlocks(table: Table, names: readonly string[]): Generator<Block> {
  const { firstRow, position } = table;
  const rows = table.rows.slice(1);
  const empty = names.filter((name, column) => name !== '' && rows.every((row) => (row[column] ?? '') === ''));
  if (empty.length > 0) {
    const text = `Without values: ${empty.map(joinIntoOneLine).join(', ')}`;
    yield { ...position, kind: 'table', text, ...computeRowRectangles(table, 0, text) };
  }
  for (const [index, row] of rows.entries()) {
    const lines = row.flatMap((value, column) => {
      const name = names[column] ?? '';
      return value === '' ? [] : [name === '' ? value : `${joinIntoOneLine(name)}: ${joinIntoOneLine(value)}`];
    });
    const number = firstRow === null ? null : getDisplayedRow(firstRow + index + 1, position.emptyRows);
    const locationParts = [position.location, number === null ? null : `row ${number}`].filter((part) => part !== null);
    const location = locationParts.length === 0 ? null : locationParts.join(', ');
    const text = lines.join('\n');
    if (lines.length > 0)
      yield { ...position, location, kind: 'table', text, ...computeRowRectangles(table, index + 1, text) };
  }
}

function formatMarkdownRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => joinIntoOneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

function formatHeaderSeparator(cells: readonly string[]): string {
  return `|${cells.map(() => '---').join('|')}|`;
}

function joinIntoOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const NUMBER = /^[-+(]?\p{Sc}?\s?\d[\d\s.,']*\s?%?\p{Sc}?\)?$/u;

const YEAR = /^(?:19|20)\d\d$/;

/**
 * Returns whether the first row of a table is a header: most of its cells have text, none is a number, and further rows
 * follow. A year in any column except the first counts as text, unless the cell below it is a year, too.
 */
export function isHeaderRow(rows: Table['rows']): boolean {
  const [first = [], second = []] = rows;
  const named = first.filter((cell) => cell.trim() !== '');
  const isNumber = (cell: string, column: number): boolean => {
    const isYear = YEAR.test(cell.trim()) && !YEAR.test((second[column] ?? '').trim());
    return NUMBER.test(cell.trim()) && !(isYear && column > 0);
  };
  return rows.length > 1 && named.length * 2 > first.length && !first.some(isNumber);
}

/** Fills up all rows to the same number of cells, and removes empty columns. */
export function toRectangularRows(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const used = Array.from({ length: width }, (_, column) => rows.some((row) => (row[column] ?? '').trim() !== ''));
  return rows.map((row) =>
    Array.from({ length: width }, (_, column) => row[column] ?? '').filter((_, column) => used[column]),
  );
}
