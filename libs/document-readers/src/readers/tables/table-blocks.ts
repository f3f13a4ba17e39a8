import type { Block } from '../block.js';
import type { PageBox, TextBox } from '../text-box.js';

export interface Table {
  /** Cells of the table by row. All rows have the same number of cells; an empty cell is ''. */
  readonly rows: readonly (readonly string[])[];
  /** The row number of the first row, as displayed to users; null if rows have no numbers. */
  readonly firstRow: number | null;
  /** True if the first row is the header. */
  readonly hasHeader: boolean;
  /** Returns the boxes of a row on its pages. Absent if the table has none. */
  readonly getBoxes?: (row: number) => readonly PageBox[];
  readonly place: Pick<Block, 'headingPath' | 'page' | 'location'>;
}

/** Maximum number of rows per block. */
const ROWS_PER_BLOCK = 500;
/** Maximum number of characters of a table header. With a longer one, each value is written after its column header. */
const MAX_HEADER_CHARACTERS = 800;
const HEADER_LINES = 2;

/** Yields a table as Markdown, or as records if it has very many columns. */
export function* createTableBlocks(table: Table): Generator<Block> {
  const { rows, hasHeader, place } = table;
  const [first = []] = rows;
  if (!hasHeader) yield* createRowBlocks(table, '');
  else if (rows.length === 1) {
    const text = formatRow(first);
    yield { ...place, kind: 'table', text, ...placeRow(table, 0, text) };
  } else if (formatRow(first).length > MAX_HEADER_CHARACTERS) yield* createRecordBlocks(table, first);
  else yield* createRowBlocks(table, `${formatRow(first)}\n${formatSeparator(first)}\n`);
}

/** Creates the blocks of rows. @param header lines of the header; '' if the table has none */
function* createRowBlocks(table: Table, header: string): Generator<Block> {
  const { rows, firstRow, place } = table;
  const headerRows = header === '' ? 0 : 1;
  for (let start = headerRows; start < rows.length; start += ROWS_PER_BLOCK) {
    const lines = rows.slice(start, start + ROWS_PER_BLOCK).map(formatRow);
    const headerLines = header === '' ? 0 : HEADER_LINES;
    const counted = firstRow === null ? {} : { firstRow: firstRow + start };
    const text = header + lines.join('\n');
    yield { ...place, kind: 'table', text, headerLines, ...counted, ...placeRows(table, { header, lines, start }) };
  }
}

interface RowLines {
  readonly header: string;
  /** The rows from index `start`, one line each. */
  readonly lines: readonly string[];
  readonly start: number;
}

/** Returns the boxes of the rows in the text that consists of a header and lines. */
function placeRows(table: Table, { header, lines, start }: RowLines): Pick<Block, 'boxes'> {
  if (table.getBoxes === undefined) return {};
  const boxes: TextBox[] = [];
  if (header !== '') boxes.push(...(placeRow(table, 0, header.trimEnd()).boxes ?? []));
  let position = header.length;
  for (const [index, line] of lines.entries()) {
    const offset = position;
    for (const box of placeRow(table, start + index, line).boxes ?? [])
      boxes.push({ ...box, start: offset, end: offset + line.length });
    position += line.length + 1;
  }
  return { boxes };
}

/** Returns the boxes of a row, each for the whole text. */
function placeRow({ getBoxes }: Table, row: number, text: string): Pick<Block, 'boxes'> {
  return getBoxes === undefined ? {} : { boxes: getBoxes(row).map((box) => ({ ...box, start: 0, end: text.length })) };
}

function* createRecordBlocks(table: Table, names: readonly string[]): Generator<Block> {
  const { firstRow, place } = table;
  const rows = table.rows.slice(1);
  const empty = names.filter((name, column) => name !== '' && rows.every((row) => (row[column] ?? '') === ''));
  if (empty.length > 0) {
    const text = `Without values: ${empty.map(joinIntoOneLine).join(', ')}`;
    yield { ...place, kind: 'table', text, ...placeRow(table, 0, text) };
  }
  for (const [index, row] of rows.entries()) {
    const lines = row.flatMap((value, column) => {
      const name = names[column] ?? '';
      return value === '' ? [] : [name === '' ? value : `${joinIntoOneLine(name)}: ${joinIntoOneLine(value)}`];
    });
    const places = [place.location, firstRow === null ? null : `row ${firstRow + index + 1}`].filter(
      (part) => part !== null,
    );
    const location = places.length === 0 ? null : places.join(', ');
    const text = lines.join('\n');
    if (lines.length > 0) yield { ...place, location, kind: 'table', text, ...placeRow(table, index + 1, text) };
  }
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => joinIntoOneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

function formatSeparator(cells: readonly string[]): string {
  return `|${cells.map(() => '---').join('|')}|`;
}

function joinIntoOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const NUMBER = /^[-+(]?\p{Sc}?\s?\d[\d\s.,']*\s?%?\p{Sc}?\)?$/u;

const YEAR = /^(?:19|20)\d\d$/;

/**
 * Returns whether the first row is a header. Column headers are not numbers, except years above values that are not
 * years.
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

/** Makes all rows equally long and removes empty columns. */
export function toRectangularRows(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const used = Array.from({ length: width }, (_, column) => rows.some((row) => (row[column] ?? '').trim() !== ''));
  return rows.map((row) =>
    Array.from({ length: width }, (_, column) => row[column] ?? '').filter((_, column) => used[column]),
  );
}
