import type { Line, Segment } from './line.js';

const MIN_LINES = 6;
/** Two columns of prose, not of a table: there, cells are short. */
const MIN_PROSE = 18;
const MOST = 0.8;

/**
 * The content of most pages is in reading order already. In some, two columns are drawn line by line across the page: then
 * the left column is read first, down to the next line that spans both.
 */
export function inReadingOrder(lines: readonly Line[]): readonly Line[] {
  const gutter = gutterOf(lines);
  return gutter === undefined ? lines : byColumn(lines, gutter);
}

/** The middle of the gap that all lines of two long segments share. */
function gutterOf(lines: readonly Line[]): number | undefined {
  const pairs = lines.filter(isPairOfProse);
  const rows = lines.filter((line) => line.segments.length > 1);
  if (pairs.length < MIN_LINES || pairs.length < rows.length * MOST) return undefined;
  const gaps = pairs.map((line) => [line.segments[0]?.right ?? 0, line.segments[1]?.left ?? 0] as const);
  const middle = gaps.map(([from, to]) => (from + to) / 2).toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  const sharing = gaps.filter(([from, to]) => from < middle && middle < to);
  return sharing.length >= gaps.length * MOST ? middle : undefined;
}

function isPairOfProse(line: Line): boolean {
  return line.segments.length === 2 && line.segments.every((segment) => segment.text.length >= MIN_PROSE);
}

function byColumn(lines: readonly Line[], gutter: number): readonly Line[] {
  const ordered: Line[] = [];
  let right: Line[] = [];
  for (const line of lines) {
    const before = line.segments.filter((segment) => segment.right < gutter);
    const after = line.segments.filter((segment) => segment.left > gutter);
    if (before.length + after.length < line.segments.length) {
      ordered.push(...right, line);
      right = [];
    } else {
      if (before.length > 0) ordered.push(part(line, before));
      if (after.length > 0) right.push(part(line, after));
    }
  }
  return [...ordered, ...right];
}

function part(line: Line, segments: readonly Segment[]): Line {
  return {
    ...line,
    segments,
    left: Math.min(...segments.map((segment) => segment.left)),
    right: Math.max(...segments.map((segment) => segment.right)),
    hyphenated: line.hyphenated && segments.at(-1) === line.segments.at(-1),
  };
}
