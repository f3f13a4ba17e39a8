/** A part of a sheet that stands apart from the rest. Sheets count their rows from 1. */
export interface Region {
  readonly firstRow: number;
  readonly rows: readonly (readonly string[])[];
}

/** A table has at least so many rows and columns. */
const MIN_TABLE = 2;
/** Deeper than this, tables beside each other are not taken apart. */
const MAX_DEPTH = 8;

/** The tables of a sheet: they stand apart by empty rows, or beside each other by empty columns. */
export function regionsOf(rows: Region['rows'], firstRow = 1, depth = 0): readonly Region[] {
  return bandsOf(rows, firstRow).flatMap((band) => {
    const tables = depth < MAX_DEPTH ? sideBySide(band) : [band];
    return tables.length === 1 ? tables : tables.flatMap((table) => regionsOf(table.rows, table.firstRow, depth + 1));
  });
}

/** Rows that have no empty row between them. */
function bandsOf(rows: Region['rows'], firstRow: number): readonly Region[] {
  const bands: { firstRow: number; rows: (readonly string[])[] }[] = [];
  let isOpen = false;
  for (const [index, row] of rows.entries()) {
    const isEmpty = !row.some(isFilled);
    if (!isEmpty && !isOpen) bands.push({ firstRow: firstRow + index, rows: [] });
    if (!isEmpty) bands.at(-1)?.rows.push(row);
    isOpen = !isEmpty;
  }
  return bands;
}

/** An empty column can also be a table's own: only what is a table by itself, in other rows than its neighbour, is apart. */
function sideBySide(band: Region): readonly Region[] {
  const [first, ...others] = columnGroups(band.rows);
  if (first === undefined) return [band];
  const groups = [first];
  for (const group of others) {
    const before = groups.at(-1) ?? first;
    const joined = { from: before.from, until: group.until };
    if (areApart(band.rows, before, group)) groups.push(group);
    else groups[groups.length - 1] = joined;
  }
  return groups.map(({ from, until }) => ({ ...band, rows: band.rows.map((row) => row.slice(from, until)) }));
}

interface Columns {
  readonly from: number;
  readonly until: number;
}

/** Columns that have no empty column between them. */
function columnGroups(rows: Region['rows']): readonly Columns[] {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const used = Array.from({ length: width }, () => false);
  for (const row of rows) for (const [column, cell] of row.entries()) if (isFilled(cell)) used[column] = true;
  const groups: Columns[] = [];
  for (let from = used.indexOf(true); from >= 0; from = used.indexOf(true, from)) {
    const end = used.indexOf(false, from);
    const until = end < 0 ? width : end;
    groups.push({ from, until });
    from = until;
  }
  return groups;
}

function areApart(rows: Region['rows'], one: Columns, other: Columns): boolean {
  const [left, right] = [extentOf(rows, one), extentOf(rows, other)];
  const areTables = [
    [one, left],
    [other, right],
  ] as const;
  const inOtherRows = left.first !== right.first || left.last !== right.last;
  return (
    inOtherRows &&
    areTables.every(
      ([{ from, until }, { first, last }]) =>
        until - from >= MIN_TABLE && last - first + 1 >= MIN_TABLE && widthOfRow(rows[first], from, until) >= MIN_TABLE,
    )
  );
}

function extentOf(rows: Region['rows'], { from, until }: Columns): { readonly first: number; readonly last: number } {
  const isUsed = (row: readonly string[]): boolean => row.slice(from, until).some(isFilled);
  return { first: rows.findIndex(isUsed), last: rows.findLastIndex(isUsed) };
}

function widthOfRow(row: readonly string[] = [], from: number, until: number): number {
  return row.slice(from, until).filter(isFilled).length;
}

function isFilled(cell: string): boolean {
  return cell.trim() !== '';
}
