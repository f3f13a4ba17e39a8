import type { Block } from '../block.js';

export interface Table {
  /** Cells of the table by row. All rows have the same number of cells; an empty cell is ''. */
  readonly rows: readonly (readonly string[])[];
  /** The row number of the first row, as displayed to users; null if rows have no numbers. */
  readonly firstRow: number | null;
  /** True if the first row is the header. */
  readonly hasHeader: boolean;
  readonly place: Pick<Block, 'headingPath' | 'page' | 'location'>;
}

/** Maximum number of rows per block. */
const ROWS_PER_BLOCK = 500;
/** Maximum number of characters of a table header. With a longer one, each value is written after its column header. */
const MAX_HEADER_CHARACTERS = 800;
const HEADER_LINES = 2;

/** Yields a table as Markdown, or as records if it has very many columns. */
export function* createTableBlocks(table: Table): Generator<Block> {
  const { rows, firstRow, hasHeader, place } = table;
  const [first = []] = rows;
  const body = hasHeader ? rows.slice(1) : rows;
  const bodyRow = firstRow === null || !hasHeader ? firstRow : firstRow + 1;
  if (!hasHeader) yield* createRowBlocks(body, bodyRow, '', place);
  else if (body.length === 0) yield { ...place, kind: 'table', text: formatRow(first) };
  else if (formatRow(first).length > MAX_HEADER_CHARACTERS) yield* createRecordBlocks(first, body, bodyRow, place);
  else yield* createRowBlocks(body, bodyRow, `${formatRow(first)}\n${formatSeparator(first)}\n`, place);
}

function* createRowBlocks(
  rows: Table['rows'],
  firstRow: number | null,
  header: string,
  place: Table['place'],
): Generator<Block> {
  for (let start = 0; start < rows.length; start += ROWS_PER_BLOCK) {
    const lines = rows.slice(start, start + ROWS_PER_BLOCK).map(formatRow);
    const headerLines = header === '' ? 0 : HEADER_LINES;
    const counted = firstRow === null ? {} : { firstRow: firstRow + start };
    yield { ...place, kind: 'table', text: header + lines.join('\n'), headerLines, ...counted };
  }
}

function* createRecordBlocks(
  names: readonly string[],
  rows: Table['rows'],
  firstRow: number | null,
  place: Table['place'],
): Generator<Block> {
  const empty = names.filter((name, column) => name !== '' && rows.every((row) => (row[column] ?? '') === ''));
  if (empty.length > 0)
    yield { ...place, kind: 'table', text: `Without values: ${empty.map(joinIntoOneLine).join(', ')}` };
  for (const [index, row] of rows.entries()) {
    const lines = row.flatMap((value, column) => {
      const name = names[column] ?? '';
      return value === '' ? [] : [name === '' ? value : `${joinIntoOneLine(name)}: ${joinIntoOneLine(value)}`];
    });
    const places = [place.location, firstRow === null ? null : `row ${firstRow + index}`].filter(
      (part) => part !== null,
    );
    const location = places.length === 0 ? null : places.join(', ');
    if (lines.length > 0) yield { ...place, location, kind: 'table', text: lines.join('\n') };
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

/** Returns whether the first row is a header. Column headers are not numbers, except years above values that are not years. */
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
export function toRectangle(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const used = Array.from({ length: width }, (_, column) => rows.some((row) => (row[column] ?? '').trim() !== ''));
  return rows.map((row) =>
    Array.from({ length: width }, (_, column) => row[column] ?? '').filter((_, column) => used[column]),
  );
}
