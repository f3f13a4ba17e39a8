/**
 * Describes an area that empty rows or columns separate from the rest of a sheet. `firstRow` is the number of its first
 * row in the sheet, from 1.
 */
export interface Region {
  readonly firstRow: number;
  readonly rows: readonly (readonly string[])[];
}

/**
 * Minimum size of two areas beside each other that count as separate tables: the number of rows, the number of columns,
 * and the number of filled cells in the first row.
 */
const MIN_TABLE = 2;
/** Maximum depth of the recursion that splits a sheet into tables. */
const MAX_DEPTH = 8;

/** Finds the tables of a sheet, which are separated by empty rows or empty columns. */
export function findSheetRegions(rows: Region['rows'], firstRow = 1, depth = 0): readonly Region[] {
  return splitIntoRowBands(rows, firstRow).flatMap((band) => {
    const tables = depth < MAX_DEPTH ? splitBandIntoRegions(band) : [band];
    return tables.length === 1
      ? tables
      : tables.flatMap((table) => findSheetRegions(table.rows, table.firstRow, depth + 1));
  });
}

/** Splits a sheet at empty rows into bands of consecutive rows. */
function splitIntoRowBands(rows: Region['rows'], firstRow: number): readonly Region[] {
  const bands: { firstRow: number; rows: (readonly string[])[] }[] = [];
  let isOpen = false;
  for (const [index, row] of rows.entries()) {
    const isEmpty = !row.some(isFilledCell);
    if (!isEmpty && !isOpen) bands.push({ firstRow: firstRow + index, rows: [] });
    if (!isEmpty) bands.at(-1)?.rows.push(row);
    isOpen = !isEmpty;
  }
  return bands;
}

/**
 * Splits a band of rows into tables at empty columns, if the tables on both sides use different rows and are large
 * enough (`MIN_TABLE`). Otherwise an empty column is part of a table.
 */
function splitBandIntoRegions(band: Region): readonly Region[] {
  const [first, ...others] = findColumnGroups(band.rows);
  if (first === undefined) return [band];
  const groups = [first];
  for (const group of others) {
    const before = groups.at(-1) ?? first;
    const joined = { from: before.from, until: group.until };
    if (areSeparateTables(band.rows, before, group)) groups.push(group);
    else groups[groups.length - 1] = joined;
  }
  return groups.map(({ from, until }) => ({ ...band, rows: band.rows.map((row) => row.slice(from, until)) }));
}

interface Columns {
  readonly from: number;
  readonly until: number;
}

/** Groups consecutive columns that are not empty. */
function findColumnGroups(rows: Region['rows']): readonly Columns[] {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const used = Array.from({ length: width }, () => false);
  for (const row of rows) for (const [column, cell] of row.entries()) if (isFilledCell(cell)) used[column] = true;
  const groups: Columns[] = [];
  for (let from = used.indexOf(true); from >= 0; from = used.indexOf(true, from)) {
    const end = used.indexOf(false, from);
    const until = end < 0 ? width : end;
    groups.push({ from, until });
    from = until;
  }
  return groups;
}

function areSeparateTables(rows: Region['rows'], one: Columns, other: Columns): boolean {
  const [left, right] = [findUsedRowRange(rows, one), findUsedRowRange(rows, other)];
  const areTables = [
    [one, left],
    [other, right],
  ] as const;
  const inOtherRows = left.first !== right.first || left.last !== right.last;
  return (
    inOtherRows &&
    areTables.every(
      ([{ from, until }, { first, last }]) =>
        until - from >= MIN_TABLE &&
        last - first + 1 >= MIN_TABLE &&
        countFilledCells(rows[first], from, until) >= MIN_TABLE,
    )
  );
}

function findUsedRowRange(
  rows: Region['rows'],
  { from, until }: Columns,
): { readonly first: number; readonly last: number } {
  const isUsedRow = (row: readonly string[]): boolean => row.slice(from, until).some(isFilledCell);
  return { first: rows.findIndex(isUsedRow), last: rows.findLastIndex(isUsedRow) };
}

function countFilledCells(row: readonly string[] = [], from: number, until: number): number {
  return row.slice(from, until).filter(isFilledCell).length;
}

function isFilledCell(cell: string): boolean {
  return cell.trim() !== '';
}
