import type { Block } from '../block.js';

export interface Table {
  /** Each as wide as the widest; an empty cell is ''. */
  readonly rows: readonly (readonly string[])[];
  /** The number by which people know the first of `rows`; null where rows are not counted. */
  readonly firstRow: number | null;
  /** Whether the first row names the columns. */
  readonly hasHeader: boolean;
  readonly place: Pick<Block, 'headingPath' | 'page' | 'location'>;
}

/** A block holds so many rows at most, so that no table is one block of a hundred megabytes. */
const ROWS_PER_BLOCK = 500;
/** A longer header, in characters, is no help in front of every few rows: each value is then written behind its column's name. */
const MAX_HEADER = 800;
const HEADER_LINES = 2;

/** A table as Markdown, or as records when it has very many columns. */
export function* tableBlocks(table: Table): Generator<Block> {
  const { rows, firstRow, hasHeader, place } = table;
  const [first = []] = rows;
  const body = hasHeader ? rows.slice(1) : rows;
  const bodyRow = firstRow === null || !hasHeader ? firstRow : firstRow + 1;
  if (!hasHeader) yield* plainRows(body, bodyRow, '', place);
  else if (body.length === 0) yield { ...place, kind: 'table', text: rowOf(first) };
  else if (rowOf(first).length > MAX_HEADER) yield* records(first, body, bodyRow, place);
  else yield* plainRows(body, bodyRow, `${rowOf(first)}\n${separatorOf(first)}\n`, place);
}

function* plainRows(
  rows: Table['rows'],
  firstRow: number | null,
  header: string,
  place: Table['place'],
): Generator<Block> {
  for (let start = 0; start < rows.length; start += ROWS_PER_BLOCK) {
    const lines = rows.slice(start, start + ROWS_PER_BLOCK).map(rowOf);
    const headerLines = header === '' ? 0 : HEADER_LINES;
    const counted = firstRow === null ? {} : { firstRow: firstRow + start };
    yield { ...place, kind: 'table', text: header + lines.join('\n'), headerLines, ...counted };
  }
}

function* records(
  names: readonly string[],
  rows: Table['rows'],
  firstRow: number | null,
  place: Table['place'],
): Generator<Block> {
  const empty = names.filter((name, column) => name !== '' && rows.every((row) => (row[column] ?? '') === ''));
  if (empty.length > 0) yield { ...place, kind: 'table', text: `Without values: ${empty.map(oneLine).join(', ')}` };
  for (const [index, row] of rows.entries()) {
    const lines = row.flatMap((value, column) => {
      const name = names[column] ?? '';
      return value === '' ? [] : [name === '' ? value : `${oneLine(name)}: ${oneLine(value)}`];
    });
    const told = [place.location, firstRow === null ? null : `row ${firstRow + index}`].filter((part) => part !== null);
    const location = told.length === 0 ? null : told.join(', ');
    if (lines.length > 0) yield { ...place, location, kind: 'table', text: lines.join('\n') };
  }
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

function separatorOf(cells: readonly string[]): string {
  return `|${cells.map(() => '---').join('|')}|`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const NUMBER = /^[-+(]?\p{Sc}?\s?\d[\d\s.,']*\s?%?\p{Sc}?\)?$/u;

const YEAR = /^(?:19|20)\d\d$/;

/** Whether the first of several rows names the columns: names are no numbers, but years can be, above what are none. */
export function looksLikeHeader(rows: Table['rows']): boolean {
  const [first = [], second = []] = rows;
  const named = first.filter((cell) => cell.trim() !== '');
  const isNumber = (cell: string, column: number): boolean => {
    const isYear = YEAR.test(cell.trim()) && !YEAR.test((second[column] ?? '').trim());
    return NUMBER.test(cell.trim()) && !(isYear && column > 0);
  };
  return rows.length > 1 && named.length * 2 > first.length && !first.some(isNumber);
}

/** Rows made equally wide, without the columns that are empty throughout. */
export function rectangle(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const used = Array.from({ length: width }, (_, column) => rows.some((row) => (row[column] ?? '').trim() !== ''));
  return rows.map((row) =>
    Array.from({ length: width }, (_, column) => row[column] ?? '').filter((_, column) => used[column]),
  );
}
