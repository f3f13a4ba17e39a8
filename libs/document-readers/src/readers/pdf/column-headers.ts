import type { Segment } from './segment.js';
import { measureGapBetween, isCentredOverColumns, isWiderThan, computeOverlapShare, type Column } from './columns.js';

/** Maximum distance between the centres of a table and its title, as a share of the table's width. */
const TITLE_TOLERANCE = 0.05;
/**
 * Maximum distance between the centre of a header and the common centre of its columns, as a share of their total
 * width. The value is below a quarter, because the centre of a header above one of two equal columns is a quarter of
 * the total width away from the common centre.
 */
const GROUP_TOLERANCE = 0.15;
const COLUMN_TOLERANCE = 0.15;
/** Maximum difference between the right edges of two lines of one header, in points. */
const SAME_RIGHT_EDGE = 2;
/**
 * Maximum difference between the right edges of a header and its column, in points. The edges differ, because a closing
 * bracket after an amount extends beyond the digits of other amounts.
 */
const SAME_COLUMN_EDGE = 5;
/**
 * Maximum horizontal distance between a header and a column to which it belongs, in points. Not applied to a header
 * that is centred over one column.
 */
const MAX_COLUMN_DISTANCE = 3;
/** Minimum width of a line that continues the header in the line above, as a share of the width of that line. */
const MIN_CONTINUATION_WIDTH = 0.6;

type Row = readonly Segment[];

/** Describes the columns to which a header belongs. `indexes` is empty if the columns are ambiguous. */
interface HeaderSpan {
  readonly segment: Segment;
  readonly indexes: readonly number[];
}

/**
 * Assigns the cells of header rows to columns. The header rows are above the first row with a cell in the first column.
 * Repeats a header of several columns in each of these columns. Puts a header that applies to all columns, or whose
 * columns are ambiguous, into the column of the row labels.
 *
 * @param nextRow the row after the header rows; it can be a further header row with a header for each column
 */
export function assignColumnHeaders(
  rows: readonly Row[],
  columns: readonly Column[],
  nextRow: Row = [],
): readonly (readonly string[])[] {
  const [first, ...dataColumns] = columns;
  if (first === undefined) return [];
  const below =
    findLastCompleteRow(rows, dataColumns) ?? (nextRow.length === columns.length ? nextRow.slice(1) : undefined);
  const wider: HeaderSpan[] = [];
  let above: readonly HeaderSpan[] = [];
  return rows.map((row) => {
    const titles = row.filter((segment) => isTableTitle(segment, row, columns));
    const headers = row.filter((segment) => !titles.includes(segment));
    const spans = findHeaderSpans(headers, dataColumns, { wider, above, below });
    above = spans;
    wider.push(...spans.filter(({ indexes }) => indexes.length !== 1));
    const unclear = spans.filter(({ indexes }) => indexes.length === 0).map(({ segment }) => segment);
    const cells = dataColumns.map((_, index) =>
      joinSegmentTexts(spans.filter(({ indexes }) => indexes.includes(index)).map(({ segment }) => segment)),
    );
    return [joinSegmentTexts([...titles, ...unclear]), ...cells];
  });
}

/** Returns the lowest row with a header for each column. */
function findLastCompleteRow(rows: readonly Row[], columns: readonly Column[]): Row | undefined {
  return rows.findLast((row) => row.length === columns.length);
}

/**
 * Returns whether a header segment is a table title. A title is above the row labels, or is the only header in its row
 * and applies to all columns.
 */
function isTableTitle(segment: Segment, row: Row, columns: readonly Column[]): boolean {
  const [first, ...dataColumns] = columns;
  if (first === undefined || dataColumns.length < 2) return false;
  if (
    row.length === 1 &&
    (isCentredOverColumns(segment, dataColumns, TITLE_TOLERANCE) ||
      isCentredOverColumns(segment, columns, TITLE_TOLERANCE))
  )
    return true;
  return (segment.left + segment.right) / 2 < first.right;
}

interface HeaderContext {
  /** Header spans of the row directly above the current header row. */
  readonly above: readonly HeaderSpan[];
  /** Header spans of all rows above the current header row that cover several columns or are ambiguous. */
  readonly wider: readonly HeaderSpan[];
  /** Lowest row that has a header for each column. Undefined if there is no such row. */
  readonly below: Row | undefined;
}

function findHeaderSpans(headers: Row, columns: readonly Column[], context: HeaderContext): readonly HeaderSpan[] {
  if (headers.length === columns.length) return headers.map((segment, index) => ({ segment, indexes: [index] }));
  const { above, wider } = context;
  const continuesAbove =
    headers.length === above.length &&
    headers.every((name, position) => areRightAligned(name, above[position]?.segment));
  if (continuesAbove) return headers.map((segment, position) => ({ segment, indexes: above[position]?.indexes ?? [] }));
  const groupSize = findGroupSize(headers, columns, context);
  return headers.map((segment, position) => {
    const continued = wider.find((span) => isHeaderContinuedBy(span.segment, segment));
    if (continued !== undefined) return { segment, indexes: continued.indexes };
    const group = columns.flatMap((_, index) =>
      groupSize !== undefined && Math.floor(index / groupSize) === position ? [index] : [],
    );
    return { segment, indexes: group.length > 0 ? group : findIndexesOfColumnsBelow(segment, columns) };
  });
}

/**
 * Returns whether the line `next` continues `line`, which is a header of several columns. Returns false if `next` is
 * much narrower, because it can be the header of the last of these columns.
 */
function isHeaderContinuedBy(line: Segment, next: Segment): boolean {
  return areRightAligned(line, next) && !isWiderThan(line, next, 1 / MIN_CONTINUATION_WIDTH);
}

function areRightAligned(one: Column, other: Column | undefined, tolerance = SAME_RIGHT_EDGE): boolean {
  return other !== undefined && Math.abs(one.right - other.right) < tolerance;
}

/**
 * Returns the number of columns per header, if all headers cover the same number of columns. Otherwise returns
 * undefined.
 */
function findGroupSize(headers: Row, columns: readonly Column[], { wider, below }: HeaderContext): number | undefined {
  const groupSize = columns.length / headers.length;
  if (headers.length < 2 || !Number.isInteger(groupSize)) return undefined;
  const groups = headers.map((segment, position) => {
    const [from, to] = [position * groupSize, (position + 1) * groupSize];
    return { segment, group: columns.slice(from, to), ownHeaders: below?.slice(from, to) ?? [] };
  });
  const isCentredOver = (segment: Segment, group: readonly Column[]): boolean =>
    isCentredOverColumns(segment, group, GROUP_TOLERANCE);
  if (
    groups.every(
      ({ segment, group, ownHeaders }) => isCentredOver(segment, group) || isCentredOver(segment, ownHeaders),
    )
  )
    return groupSize;
  if (
    below === undefined ||
    !groups.every(({ segment, group }) => areRightAligned(segment, group.at(-1), SAME_COLUMN_EDGE))
  )
    return undefined;
  const areWide = groups.every(({ segment, group }) => isWiderThan(segment, group.at(-1)));
  return areWide || (wider.length === 0 && isRowPeriodic(below, groupSize)) ? groupSize : undefined;
}

/** Returns whether the texts of a row repeat after every `period` cells. */
function isRowPeriodic(row: Row, period: number): boolean {
  return row.every(({ text }, index) => text === row[index % period]?.text);
}

function findIndexesOfColumnsBelow(segment: Segment, columns: readonly Column[]): readonly number[] {
  const shares = columns.map((column) => computeOverlapShare(segment, column));
  const widest = shares.indexOf(Math.max(...shares));
  const column = columns[widest];
  const touched = columns.flatMap((other, index) =>
    measureGapBetween(segment, other) < MAX_COLUMN_DISTANCE ? [index] : [],
  );
  const isCentredAlone = column !== undefined && isCentredOverColumns(segment, [column], COLUMN_TOLERANCE);
  if (isCentredAlone && !(areRightAligned(segment, column, SAME_COLUMN_EDGE) && isWiderThan(segment, column)))
    return [widest];
  if (touched.length > 0) return touched;
  const next = columns.findIndex(({ left }) => left >= segment.right);
  return next > 0 ? [next - 1, next] : [];
}

function joinSegmentTexts(row: Row): string {
  return row.map(({ text }) => text).join(' ');
}
