import type { Segment } from './segment.js';
import { distance, isCentred, isWiderThan, shareAbove, type Column } from './columns.js';

/** Of the width of what a title is centred over: how exactly it is. */
const CENTRED = 0.05;
/** Of the width of some columns: the name of one of two stands a quarter from the middle of both. */
const CENTRED_OVER_GROUP = 0.15;
const CENTRED_OVER_COLUMN = 0.15;
/** In points: how exactly two lines of one name end at the same place. */
const SAME_END = 2;
/** In points: closing brackets stand behind the last digits of other amounts. */
const SAME_END_OF_COLUMN = 5;
/** In points: what comes so close to a column, but is not in the middle above another, is of both. */
const NEAR = 3;
/** Of the width of its first line: how short the second may be. */
const NEARLY_AS_WIDE = 0.6;

type Row = readonly Segment[];

/** What a name is of: of none, where that is not clear. */
interface Span {
  readonly segment: Segment;
  readonly indexes: readonly number[];
}

/**
 * The rows above the first that has a cell in the first column. A name of one column stands above it, one of several above each of
 * them; what is said of all columns, and what is of no clear column, comes above the names of the rows.
 *
 * @param next the row behind them, which may name each column by itself
 */
export function namesOfColumns(
  rows: readonly Row[],
  columns: readonly Column[],
  next: Row = [],
): readonly (readonly string[])[] {
  const [first, ...named] = columns;
  if (first === undefined) return [];
  const below = namesOfEach(rows, named) ?? (next.length === columns.length ? next.slice(1) : undefined);
  const wider: Span[] = [];
  let above: readonly Span[] = [];
  return rows.map((row) => {
    const titles = row.filter((segment) => isTitle(segment, row, columns));
    const names = row.filter((segment) => !titles.includes(segment));
    const spans = spansOf(names, named, { wider, above, below });
    above = spans;
    wider.push(...spans.filter(({ indexes }) => indexes.length !== 1));
    const unclear = spans.filter(({ indexes }) => indexes.length === 0).map(({ segment }) => segment);
    const cells = named.map((_, index) =>
      textOf(spans.filter(({ indexes }) => indexes.includes(index)).map(({ segment }) => segment)),
    );
    return [textOf([...titles, ...unclear]), ...cells];
  });
}

/** The lowest row that has a name for each column. */
function namesOfEach(rows: readonly Row[], columns: readonly Column[]): Row | undefined {
  return rows.findLast((row) => row.length === columns.length);
}

/** Above the names of the rows, or the one thing that is said of all columns. */
function isTitle(segment: Segment, row: Row, columns: readonly Column[]): boolean {
  const [first, ...named] = columns;
  if (first === undefined || named.length < 2) return false;
  if (row.length === 1 && (isCentred(segment, named, CENTRED) || isCentred(segment, columns, CENTRED))) return true;
  return (segment.left + segment.right) / 2 < first.right;
}

interface Around {
  /** The row before. */
  readonly above: readonly Span[];
  /** Of all rows before: what is of several columns, or of no clear ones. */
  readonly wider: readonly Span[];
  /** A row that names each column. */
  readonly below: Row | undefined;
}

function spansOf(names: Row, columns: readonly Column[], around: Around): readonly Span[] {
  if (names.length === columns.length) return names.map((segment, index) => ({ segment, indexes: [index] }));
  const { above, wider } = around;
  const goOn = names.length === above.length && names.every((name, place) => endsWith(name, above[place]?.segment));
  if (goOn) return names.map((segment, place) => ({ segment, indexes: above[place]?.indexes ?? [] }));
  const each = groupsOf(names, columns, around);
  return names.map((segment, place) => {
    const begun = wider.find((span) => goesOn(span.segment, segment));
    if (begun !== undefined) return { segment, indexes: begun.indexes };
    const group = columns.flatMap((_, index) =>
      each !== undefined && Math.floor(index / each) === place ? [index] : [],
    );
    return { segment, indexes: group.length > 0 ? group : columnsBelow(segment, columns) };
  });
}

/** Whether a name of several columns goes on: what is much narrower, and ends at the same place, may be the last column's own. */
function goesOn(line: Segment, next: Segment): boolean {
  return endsWith(line, next) && !isWiderThan(line, next, 1 / NEARLY_AS_WIDE);
}

function endsWith(one: Column, other: Column | undefined, within = SAME_END): boolean {
  return other !== undefined && Math.abs(one.right - other.right) < within;
}

/** @returns of how many columns each of the names is, where all are of as many */
function groupsOf(names: Row, columns: readonly Column[], { wider, below }: Around): number | undefined {
  const each = columns.length / names.length;
  if (names.length < 2 || !Number.isInteger(each)) return undefined;
  const groups = names.map((segment, place) => {
    const [from, to] = [place * each, (place + 1) * each];
    return { segment, group: columns.slice(from, to), named: below?.slice(from, to) ?? [] };
  });
  const isOver = (segment: Segment, group: readonly Column[]): boolean => isCentred(segment, group, CENTRED_OVER_GROUP);
  if (groups.every(({ segment, group, named }) => isOver(segment, group) || isOver(segment, named))) return each;
  if (below === undefined || !groups.every(({ segment, group }) => endsWith(segment, group.at(-1), SAME_END_OF_COLUMN)))
    return undefined;
  const areWide = groups.every(({ segment, group }) => isWiderThan(segment, group.at(-1)));
  return areWide || (wider.length === 0 && recurs(below, each)) ? each : undefined;
}

/** Whether the same names come again and again. */
function recurs(row: Row, period: number): boolean {
  return row.every(({ text }, index) => text === row[index % period]?.text);
}

function columnsBelow(segment: Segment, columns: readonly Column[]): readonly number[] {
  const shares = columns.map((column) => shareAbove(segment, column));
  const most = shares.indexOf(Math.max(...shares));
  const column = columns[most];
  const touched = columns.flatMap((other, index) => (distance(segment, other) < NEAR ? [index] : []));
  const isCentredAlone = column !== undefined && isCentred(segment, [column], CENTRED_OVER_COLUMN);
  if (isCentredAlone && !(endsWith(segment, column, SAME_END_OF_COLUMN) && isWiderThan(segment, column))) return [most];
  if (touched.length > 0) return touched;
  const next = columns.findIndex(({ left }) => left >= segment.right);
  return next > 0 ? [next - 1, next] : [];
}

function textOf(row: Row): string {
  return row.map(({ text }) => text).join(' ');
}
