import type { Line } from './line.js';
import type { Segment } from './segment.js';
import { type Column, findNearestColumn, areOverlapping, mergeIntoColumns } from './columns.js';
import { assignColumnHeaders } from './column-headers.js';

/** Describes the rows of a table. All rows have the same number of cells. An empty cell is ''. */
export interface TableCells {
  readonly rows: readonly (readonly string[])[];
  /** Number of header rows: the rows above the first one with a cell in the first column. */
  readonly headerRows: number;
}

/** Minimum share of the rows below the headers that have a cell in every column. */
const MIN_FULL_ROW_SHARE = 0.6;
/** Minimum number of rows below the headers, because headers alone do not determine the columns. */
const MIN_BODY_ROWS = 2;
/**
 * Matches a letter or digit. A segment without letters and digits, such as a colon after a superscript, is not a cell.
 */
const HAS_WORDS = /[\p{L}\p{N}]/u;

/**
 * Finds the columns and cells of a table. The rows with the most cells determine the columns. A cell that spans several
 * columns belongs to the first of these columns, or, in a header row, to all of them.
 *
 * @returns undefined if the rows have no common columns, or if their cells run from right to left
 */
export function findTableCells(lines: readonly Line[]): TableCells | undefined {
  if (!lines.every(({ segments }) => areLeftToRight(segments))) return undefined;
  // A table can have more lines than a call can have arguments.
  const widest = lines.reduce((most, { segments }) => Math.max(most, segments.length), 0);
  const full = lines.filter(({ segments }) => segments.length === widest);
  const columns = mergeIntoColumns(full.flatMap(({ segments }) => segments));
  const firstFull = lines.findIndex(({ segments }) => segments.length === widest);
  const cut = [...splitColumnHeaders(lines.slice(0, firstFull), columns), ...lines.slice(firstFull)];
  const headerRows = countHeaderRows(cut, columns);
  if (headerRows > 0 && lines.length - headerRows < MIN_BODY_ROWS) return undefined;
  if (columns.length !== widest || full.length < (lines.length - headerRows) * MIN_FULL_ROW_SHARE) return undefined;
  const below = cut.slice(headerRows).map(({ segments }) => assignSegmentsToColumns(segments, columns));
  if (!below.every((row) => row !== undefined)) return undefined;
  const headers = assignColumnHeaders(
    cut.slice(0, headerRows).map(({ segments }) => segments),
    columns,
    cut[headerRows]?.segments,
  );
  return { rows: [...headers, ...below], headerRows };
}

/** Counts the header rows, which are the rows before the first row with a cell in the first column. */
function countHeaderRows(lines: readonly Line[], columns: readonly Column[]): number {
  const [first] = columns;
  if (first === undefined || columns.length < 2) return 0;
  return Math.max(
    0,
    lines.findIndex(
      ({ segments, isTableRow }) => isTableRow !== true && segments.some((cell) => areOverlapping(cell, first)),
    ),
  );
}

/**
 * Returns the text of a line in each column. Returns undefined if a cell overlaps no column, unless it is punctuation
 * after another cell.
 */
function assignSegmentsToColumns(
  segments: readonly Segment[],
  columns: readonly Column[],
): readonly string[] | undefined {
  const assignedColumns: number[] = [];
  for (const segment of segments) {
    const touched = columns.findIndex((column) => areOverlapping(segment, column));
    const column = touched < 0 && !HAS_WORDS.test(segment.text) ? assignedColumns.at(-1) : touched;
    if (column === undefined || column < 0) return undefined;
    assignedColumns.push(column);
  }
  return columns.map((_, index) =>
    segments
      .filter((_segment, at) => assignedColumns[at] === index)
      .map(({ text }) => text)
      .join(' '),
  );
}

/** Returns whether the cells of a line run from left to right. */
function areLeftToRight(segments: readonly Segment[]): boolean {
  return segments.every((segment, index) => index === 0 || segment.left > (segments[index - 1]?.left ?? 0));
}

/**
 * Splits column headers that are so close to each other that they were read as one cell. Splits all such cells if the
 * parts of each cell are above different columns. Otherwise splits none, because the gaps between the parts are wide
 * spaces.
 *
 * @param lines lines above the first row with a cell in every column
 */
function splitColumnHeaders(lines: readonly Line[], columns: readonly Column[]): readonly Line[] {
  const splittable = lines.flatMap(({ segments }) => segments).filter(({ parts }) => parts !== undefined);
  if (!splittable.every((segment) => hasOnePartPerColumn(segment, columns))) return lines;
  return lines.map((line) => ({ ...line, segments: line.segments.flatMap((segment) => segment.parts ?? [segment]) }));
}

function hasOnePartPerColumn(segment: Segment, columns: readonly Column[]): boolean {
  const { parts = [] } = segment;
  const indexes = new Set(parts.map((part) => findNearestColumn(part, columns)));
  return (
    indexes.size === parts.length && columns.filter((column) => areOverlapping(segment, column)).length === parts.length
  );
}
