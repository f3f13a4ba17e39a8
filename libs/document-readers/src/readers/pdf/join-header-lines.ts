import type { Line } from './line.js';

/** Maximum distance from the first row of a table to the top of the column headers above it, in lines. */
const MAX_LINES_ABOVE = 6;
/** Maximum width of a column header, as a share of the width of the table row below it. */
const MAX_HEADER_WIDTH = 0.4;
const LINE_HEIGHT = 1.35;
const SIZE_TOLERANCE = 0.2;
const CENTRE_TOLERANCE = 0.05;
/**
 * Minimum number of cells of a row for which column headers are searched in the lines above the row. Lines beside each
 * other above a row of two cells can be other text.
 */
const MIN_CELLS = 3;
const MAX_OVERLAP = 0.4;
/**
 * Width of the first column, as a share of the width of a row. A line that begins within the first column is above the
 * row labels.
 */
const FIRST_COLUMN_SHARE = 0.15;

/**
 * Joins the lines of column headers into rows across the page. Many files draw all lines of one header, then all lines
 * of the next header.
 *
 * @param lines lines of a page in content order
 */
export function joinHeaderLinesIntoRows(lines: readonly Line[]): readonly Line[] {
  const result: Line[] = [];
  for (const line of lines) {
    const start = line.segments.length >= MIN_CELLS ? findHeaderStart(result, line) : result.length;
    const headerLines = result.slice(start);
    if (headerLines.some((headerLine, index) => index > 0 && isRightOf(headerLine, headerLines[index - 1])))
      result.splice(start, headerLines.length, ...buildHeaderRows(headerLines, line));
    result.push(line);
  }
  return result;
}

/**
 * Returns the index of the first header line of a row. Header lines are the lines directly above the row that are as
 * narrow as a header and have one font size.
 */
function findHeaderStart(lines: readonly Line[], row: Line): number {
  const width = row.right - row.left;
  const size = lines.at(-1)?.size ?? 0;
  const isHeaderLine = (line: Line): boolean =>
    line.bottom >= row.bottom + row.size / 2 &&
    line.top - row.top < MAX_LINES_ABOVE * row.size * LINE_HEIGHT &&
    line.segments.every(({ left, right }) => right - left < MAX_HEADER_WIDTH * width) &&
    (line.segments.length === 1 || line.left > getFirstColumnEnd(row) || !hasNumericCells(line)) &&
    line.upright === row.upright &&
    Math.abs(line.size - size) < SIZE_TOLERANCE * size;
  return lines.findLastIndex((line) => !isHeaderLine(line)) + 1;
}

/** Returns whether a cell after the first cell of a line contains a digit, which is rare in headers. */
function hasNumericCells({ segments }: Line): boolean {
  return segments.slice(1).some(({ text }) => /\d/.test(text));
}

function getFirstColumnEnd({ left, right }: Line): number {
  return left + FIRST_COLUMN_SHARE * (right - left);
}

/** Returns whether a line is to the right of the line `other` and not below that line. */
function isRightOf(line: Line, other: Line | undefined): boolean {
  return other !== undefined && line.left > other.right && line.top > other.bottom + MAX_OVERLAP * other.size;
}

function buildHeaderRows(headerLines: readonly Line[], row: Line): readonly Line[] {
  const rows: Line[][] = [];
  for (const headerLine of headerLines.toSorted((one, other) => other.top - one.top)) {
    const lastRow = rows.at(-1);
    if (lastRow?.[0] !== undefined && lastRow[0].top - headerLine.top < MAX_OVERLAP * headerLine.size)
      lastRow.push(headerLine);
    else rows.push([headerLine]);
  }
  const first = rows.findIndex((cells) => cells.length > 1 || !isCentredOverRow(cells[0], row));
  const isAboveRowLabels = ({ left }: Line): boolean => left < getFirstColumnEnd(row);
  return rows.flatMap((cells, index) =>
    index < first || cells.every(isAboveRowLabels) ? cells : [mergeLinesIntoRow(cells)],
  );
}

/** Returns whether a line is centred over a whole row, including the row label. */
function isCentredOverRow(line: Line | undefined, { left, right }: Line): boolean {
  return line !== undefined && Math.abs(line.left + line.right - left - right) < 2 * CENTRE_TOLERANCE * (right - left);
}

function mergeLinesIntoRow(cells: readonly Line[]): Line {
  const [first] = cells;
  return {
    ...{ size: 0, bold: false, upright: true, hyphenated: false, ...first },
    segments: cells.flatMap(({ segments }) => segments).toSorted((one, other) => one.left - other.left),
    left: Math.min(...cells.map(({ left }) => left)),
    right: Math.max(...cells.map(({ right }) => right)),
    bottom: Math.min(...cells.map(({ bottom }) => bottom)),
    top: Math.max(...cells.map(({ top }) => top)),
    isTableRow: true,
  };
}
