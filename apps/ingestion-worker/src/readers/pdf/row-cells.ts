import type { Line, Segment } from './line.js';

/** An interval across the page, in points. */
interface Column {
  readonly left: number;
  right: number;
}

/** The share of the rows that say where the columns are. */
const MOST = 0.6;

/**
 * The cells of a table's rows, each below the column's other cells; an empty one is ''. The rows with the most cells say where the
 * columns are; a cell of another row that goes over several belongs to the first of them.
 *
 * @returns undefined where the rows have no columns in common, and where they are read from the right
 */
export function cellsOf(lines: readonly Line[]): readonly (readonly string[])[] | undefined {
  if (!lines.every(({ segments }) => isFromLeft(segments))) return undefined;
  const widest = Math.max(...lines.map(({ segments }) => segments.length));
  const full = lines.filter(({ segments }) => segments.length === widest);
  const columns = columnsOf(full.flatMap(({ segments }) => segments));
  if (columns.length !== widest || full.length < lines.length * MOST) return undefined;
  const rows = lines.map(({ segments }) =>
    segments.map((segment) => ({ segment, column: columnOf(segment, columns) })),
  );
  if (rows.flat().some(({ column }) => column < 0)) return undefined;
  return rows.map((row) =>
    columns.map((_, index) =>
      row
        .filter(({ column }) => column === index)
        .map(({ segment }) => segment.text)
        .join(' '),
    ),
  );
}

function columnOf({ left, right }: Segment, columns: readonly Column[]): number {
  return columns.findIndex((column) => left < column.right && right > column.left);
}

/** A line that is read from the right has its first cell there. */
function isFromLeft(segments: readonly Segment[]): boolean {
  return segments.every((segment, index) => index === 0 || segment.left > (segments[index - 1]?.left ?? 0));
}

/** Cells that overlap across the page are of one column. */
function columnsOf(segments: readonly Segment[]): readonly Column[] {
  const columns: Column[] = [];
  for (const { left, right } of segments.toSorted((one, other) => one.left - other.left)) {
    const last = columns.at(-1);
    if (last !== undefined && left < last.right) last.right = Math.max(last.right, right);
    else columns.push({ left, right });
  }
  return columns;
}
