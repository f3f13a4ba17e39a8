import type { Column } from './columns.js';
import type { Line } from './line.js';
import type { Segment } from './segment.js';

/** Describes the index of a column, from 0 at the left, or `spanning` for a segment across several columns. */
export type ColumnNumber = number | 'spanning';

const MIN_LINES = 6;
/** Minimum number of characters of a line of prose. Table cells are shorter. */
const MIN_PROSE_CHARACTERS = 18;
/** Minimum share of a column's lines that are prose. */
const MIN_PROSE_SHARE = 0.6;
/**
 * Maximum number of lines that cross a gutter, as a share of the maximum number of lines at any horizontal position.
 * Titles and notes can cross the gutter between two columns.
 */
const MAX_CROSSING_SHARE = 0.15;
/** Maximum vertical gap between two lines of a paragraph, in ems. */
const MAX_LINE_GAP = 0.8;
const MIN_CLOSE_SHARE = 0.75;
/** Minimum width of the gutter between two columns, in points. */
const MIN_GUTTER_WIDTH = 6;
/** Maximum width of a page, in points. Source: ISO 32000-1, table C.1. */
const MAX_PAGE_WIDTH = 14_400;

/**
 * Finds adjacent columns of prose: few lines cross the gutter between two columns, and each column contains lines of
 * prose.
 *
 * @returns a function that returns the column of a segment; undefined if the page has no columns of prose
 */
export function findProseColumns(lines: readonly Line[]): ((segment: Segment) => ColumnNumber) | undefined {
  const inLines = lines
    .filter(({ upright }) => upright)
    .flatMap((line) => line.segments.map((segment) => ({ line, segment })));
  const prose = inLines.map(({ segment }) => segment).filter(isProseLine);
  if (prose.length < 2 * MIN_LINES) return undefined;
  const gutters = findGutters(prose);
  if (gutters.length === 0) return undefined;
  const countGuttersBefore = (point: number): number =>
    gutters.filter(({ left, right }) => (left + right) / 2 < point).length;
  const getColumnNumber = ({ left, right }: Segment): ColumnNumber =>
    countGuttersBefore(left) === countGuttersBefore(right) ? countGuttersBefore(left) : 'spanning';
  const columns = Array.from({ length: gutters.length + 1 }, (_, column) =>
    inLines.filter(({ segment }) => getColumnNumber(segment) === column),
  );
  return columns.every(isProseColumn) ? getColumnNumber : undefined;
}

function isProseLine({ text }: Segment): boolean {
  return text.length >= MIN_PROSE_CHARACTERS;
}

interface SegmentInLine {
  readonly line: Line;
  readonly segment: Segment;
}

/**
 * Returns whether most lines of a column are prose and follow each other closely. In a column of a table, cells leave
 * gaps next to taller cells.
 */
function isProseColumn(column: readonly SegmentInLine[]): boolean {
  const prose = column.filter(({ segment }) => isProseLine(segment));
  if (prose.length < MIN_LINES || prose.length < MIN_PROSE_SHARE * column.length) return false;
  const fromTop = column.map(({ line }) => line).toSorted((one, other) => other.top - one.top);
  const close = fromTop.filter((line, index) => {
    const next = fromTop[index + 1];
    return next !== undefined && line.bottom - next.top < MAX_LINE_GAP * line.size;
  });
  return close.length >= MIN_CLOSE_SHARE * (column.length - 1);
}

/** Returns the gutters of a page: vertical strips that few lines cross, between areas that many lines cross. */
function findGutters(prose: readonly Segment[]): readonly Column[] {
  const from = Math.floor(Math.min(...prose.map(({ left }) => left)));
  const until = Math.ceil(Math.max(...prose.map(({ right }) => right)));
  if (!(until - from <= MAX_PAGE_WIDTH)) return [];
  const crossing = new Array<number>(until - from).fill(0);
  for (const { left, right } of prose) {
    for (let point = Math.floor(left - from); point < right - from; point += 1)
      crossing[point] = (crossing[point] ?? 0) + 1;
  }
  const maxCrossing = MAX_CROSSING_SHARE * Math.max(...crossing);
  const gutters: Column[] = [];
  let begin: number | undefined;
  for (const [point, count] of crossing.entries()) {
    if (count <= maxCrossing) begin ??= point;
    else {
      if (begin !== undefined && begin > 0 && point - begin >= MIN_GUTTER_WIDTH)
        gutters.push({ left: from + begin, right: from + point });
      begin = undefined;
    }
  }
  return gutters;
}
