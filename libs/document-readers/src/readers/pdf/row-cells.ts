import type { Line } from './line.js';
import type { Segment } from './segment.js';
import { columnsOf, overlaps, type Column } from './columns.js';
import { cutOver } from './cut-names.js';
import { namesOfColumns } from './names-of-columns.js';

/** The rows of a table, each as wide as the widest; an empty cell is ''. */
export interface Cells {
  readonly rows: readonly (readonly string[])[];
  /** How many of the rows stand above the first one with a cell in the first column: they name the other columns. */
  readonly above: number;
}

/** The share of the rows that say where the columns are. */
const MOST = 0.6;
/** Names of columns alone do not say where the columns are. */
const MIN_ROWS = 2;
/** What has none is no cell by itself: a colon behind a raised mark. */
const HAS_WORDS = /[\p{L}\p{N}]/u;

/**
 * The cells of a table's rows, each below the column's other cells. The rows with the most cells say where the columns are; a cell
 * of another row that goes over several belongs to the first of them, or names all of them where it stands above.
 *
 * @returns undefined where the rows have no columns in common, and where they are read from the right
 */
export function cellsOf(lines: readonly Line[]): Cells | undefined {
  if (!lines.every(({ segments }) => isFromLeft(segments))) return undefined;
  const widest = Math.max(...lines.map(({ segments }) => segments.length));
  const full = lines.filter(({ segments }) => segments.length === widest);
  const columns = columnsOf(full.flatMap(({ segments }) => segments));
  const firstFull = lines.findIndex(({ segments }) => segments.length === widest);
  const cut = [...cutOver(lines.slice(0, firstFull), columns), ...lines.slice(firstFull)];
  const above = rowsAbove(cut, columns);
  if (above > 0 && lines.length - above < MIN_ROWS) return undefined;
  if (columns.length !== widest || full.length < (lines.length - above) * MOST) return undefined;
  const below = cut.slice(above).map(({ segments }) => cellsOfRow(segments, columns));
  if (!below.every((row) => row !== undefined)) return undefined;
  const names = namesOfColumns(
    cut.slice(0, above).map(({ segments }) => segments),
    columns,
    cut[above]?.segments,
  );
  return { rows: [...names, ...below], above };
}

/** Rows of names, and others without a cell in the first column, until the first that has one. */
function rowsAbove(lines: readonly Line[], columns: readonly Column[]): number {
  const [first] = columns;
  if (first === undefined || columns.length < 2) return 0;
  return Math.max(
    0,
    lines.findIndex(({ segments, ofTable }) => ofTable !== true && segments.some((cell) => overlaps(cell, first))),
  );
}

/** @returns undefined where a cell touches no column */
function cellsOfRow(segments: readonly Segment[], columns: readonly Column[]): readonly string[] | undefined {
  const places: number[] = [];
  for (const segment of segments) {
    const touched = columns.findIndex((column) => overlaps(segment, column));
    const place = touched < 0 && !HAS_WORDS.test(segment.text) ? places.at(-1) : touched;
    if (place === undefined || place < 0) return undefined;
    places.push(place);
  }
  return columns.map((_, index) =>
    segments
      .filter((_segment, at) => places[at] === index)
      .map(({ text }) => text)
      .join(' '),
  );
}

/** A line that is read from the right has its first cell there. */
function isFromLeft(segments: readonly Segment[]): boolean {
  return segments.every((segment, index) => index === 0 || segment.left > (segments[index - 1]?.left ?? 0));
}
