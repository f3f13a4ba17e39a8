import { fillMergedCells, type Merge } from './sheet-merges.js';
import { removePrefix, parseXmlEvents } from './xml.js';

/** Describes a cell as stored in the sheet. Source: ECMA-376, part 1, section 18.3.1.4. */
export interface RawCell {
  /** Type of the value, such as `s` for a shared string; empty for a number. */
  readonly type: string;
  readonly style: number;
  readonly value: string;
}

const REFERENCE = /^([A-Z]{1,3})(\d{1,7})$/;
const RANGE = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/;
/**
 * Maximum numbers of rows, columns and merged ranges that are read from a sheet. Cells and ranges beyond these limits
 * are ignored. Source: ECMA-376, part 1, section 18.3.1.73.
 */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
const MAX_MERGES = 10_000;

/**
 * Reads the texts of a sheet by row and column. The first row of the result is row 1 of the sheet. Consecutive empty
 * columns are reduced to one.
 *
 * @param sheet XML of the sheet
 */
export function readSheetCells(sheet: string, formatCell: (cell: RawCell) => string): readonly (readonly string[])[] {
  const rows = new Map<number, SparseRow>();
  const merges: Merge[] = [];
  let [row, column] = [-1, -1];
  let cell: { type: string; style: number; value: string } | undefined;
  let isValue = false;
  parseXmlEvents(sheet, {
    open: (name, attributes) => {
      const local = removePrefix(name);
      if (local === 'row') [row, column] = [parseRowNumber(attributes['r']) ?? row + 1, -1];
      else if (local === 'c') {
        // A cell without a reference follows the previous cell.
        const [, letters, number] = REFERENCE.exec(attributes['r'] ?? '') ?? [];
        [row, column] = [
          parseRowNumber(number) ?? row,
          letters === undefined ? column + 1 : parseColumnLetters(letters),
        ];
        cell = { type: attributes['t'] ?? '', style: Number(attributes['s'] ?? 0), value: '' };
      } else if (local === 'mergeCell' && merges.length < MAX_MERGES)
        merges.push(...parseMergedRange(attributes['ref'] ?? ''));
      isValue = cell !== undefined && (local === 'v' || local === 't');
    },
    text: (found) => {
      if (isValue && cell !== undefined) cell.value += found;
    },
    close: (name) => {
      isValue = false;
      if (cell === undefined || removePrefix(name) !== 'c') return;
      const text = cell.value === '' ? '' : formatCell(cell).trim();
      if (text !== '' && row < MAX_ROWS && column < MAX_COLUMNS) addSparseCell(rows, row, column, text);
      cell = undefined;
    },
  });
  const { dense, columns } = toDenseRows(rows);
  return fillMergedCells(dense, columns, merges);
}

function addSparseCell(rows: Map<number, SparseRow>, row: number, column: number, text: string): void {
  const known = rows.get(row);
  if (known === undefined) rows.set(row, [[column, text]]);
  else known.push([column, text]);
}

function parseRowNumber(number: string | undefined): number | undefined {
  return number === undefined ? undefined : Number(number) - 1;
}

function parseMergedRange(range: string): readonly Merge[] {
  const [, left, top, right, bottom] = RANGE.exec(range) ?? [];
  if (left === undefined || right === undefined) return [];
  return [
    {
      top: Number(top) - 1,
      bottom: Number(bottom) - 1,
      left: parseColumnLetters(left),
      right: parseColumnLetters(right),
    },
  ];
}

/** Converts the letters of a column to the index of the column: A is 0, AA is 26. */
function parseColumnLetters(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Describes the filled cells of a row, with column numbers from 0. */
type SparseRow = [column: number, text: string][];

const EMPTY: readonly string[] = [];

/**
 * Converts sparse rows to arrays. Reduces consecutive empty columns to one: otherwise a cell in the last column of a
 * sheet would create thousands of columns.
 *
 * @returns the rows, and the number of the sheet column, from 0, at each array index of a row
 */
function toDenseRows(rows: ReadonlyMap<number, SparseRow>): {
  readonly dense: readonly (readonly string[])[];
  readonly columns: readonly number[];
} {
  const used = new Set<number>();
  let last = -1;
  for (const [number, row] of rows) {
    last = Math.max(last, number);
    for (const [column] of row) used.add(column);
  }
  const columns = [...used]
    .sort((one, other) => one - other)
    .flatMap((column) => (column === 0 || used.has(column - 1) ? [column] : [column - 1, column]));
  const indexOf = new Map(columns.map((column, index) => [column, index]));
  const dense = Array.from({ length: last + 1 }, (_, number) => createDenseRow(rows.get(number), indexOf));
  return { dense, columns };
}

function createDenseRow(row: SparseRow | undefined, indexOf: ReadonlyMap<number, number>): readonly string[] {
  if (row === undefined) return EMPTY;
  const cells: string[] = [];
  for (const [column, text] of row) {
    const index = indexOf.get(column) ?? 0;
    while (cells.length < index) cells.push('');
    cells[index] = text;
  }
  return cells;
}
