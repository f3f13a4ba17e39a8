import type { Column } from './columns.js';
import type { Line } from './line.js';
import type { Segment } from './segment.js';

/** The number of a column, from the left. */
export type Place = number | 'several';

const MIN_LINES = 6;
/** In characters: in a table, cells are shorter. */
const MIN_PROSE = 18;
/** Of a column's lines. */
const MOST = 0.6;
/** Of the lines beside a gutter: titles and notes may span it. */
const FEW = 0.15;
/** In ems, from one line of a paragraph to the next. */
const CLOSE = 0.8;
const MOST_CLOSE = 0.75;
/** In points. */
const MIN_GUTTER = 6;
/** In points. Source: ISO 32000-1, table C.1. */
const LARGEST_PAGE = 14_400;

/**
 * Where columns of prose stand beside each other: there is a gutter between two that few lines cross, and lines of prose in each.
 *
 * @returns undefined where there are no such columns
 */
export function columnsOfProse(lines: readonly Line[]): ((segment: Segment) => Place) | undefined {
  const placed = lines
    .filter(({ upright }) => upright)
    .flatMap((line) => line.segments.map((segment) => ({ line, segment })));
  const prose = placed.map(({ segment }) => segment).filter(isProse);
  if (prose.length < 2 * MIN_LINES) return undefined;
  const gutters = guttersBetween(prose);
  if (gutters.length === 0) return undefined;
  const guttersBefore = (point: number): number =>
    gutters.filter(({ left, right }) => (left + right) / 2 < point).length;
  const placeOf = ({ left, right }: Segment): Place =>
    guttersBefore(left) === guttersBefore(right) ? guttersBefore(left) : 'several';
  const columns = Array.from({ length: gutters.length + 1 }, (_, place) =>
    placed.filter(({ segment }) => placeOf(segment) === place),
  );
  return columns.every(isColumnOfProse) ? placeOf : undefined;
}

function isProse({ text }: Segment): boolean {
  return text.length >= MIN_PROSE;
}

interface Placed {
  readonly line: Line;
  readonly segment: Segment;
}

/** Its lines follow one another closely; what stands in cells has gaps wherever the cell beside it is longer. */
function isColumnOfProse(column: readonly Placed[]): boolean {
  const prose = column.filter(({ segment }) => isProse(segment));
  if (prose.length < MIN_LINES || prose.length < MOST * column.length) return false;
  const fromTop = column.map(({ line }) => line).toSorted((one, other) => other.top - one.top);
  const close = fromTop.filter((line, index) => {
    const next = fromTop[index + 1];
    return next !== undefined && line.bottom - next.top < CLOSE * line.size;
  });
  return close.length >= MOST_CLOSE * (column.length - 1);
}

/** What few lines cross, between places that many do. */
function guttersBetween(prose: readonly Segment[]): readonly Column[] {
  const from = Math.floor(Math.min(...prose.map(({ left }) => left)));
  const until = Math.ceil(Math.max(...prose.map(({ right }) => right)));
  if (!(until - from <= LARGEST_PAGE)) return [];
  const crossing = new Array<number>(until - from).fill(0);
  for (const { left, right } of prose) {
    for (let point = Math.floor(left - from); point < right - from; point += 1)
      crossing[point] = (crossing[point] ?? 0) + 1;
  }
  const most = FEW * Math.max(...crossing);
  const gutters: Column[] = [];
  let begin: number | undefined;
  for (const [point, count] of crossing.entries()) {
    if (count <= most) begin ??= point;
    else {
      if (begin !== undefined && begin > 0 && point - begin >= MIN_GUTTER)
        gutters.push({ left: from + begin, right: from + point });
      begin = undefined;
    }
  }
  return gutters;
}
