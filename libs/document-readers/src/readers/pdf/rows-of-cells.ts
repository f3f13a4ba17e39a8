import type { Line } from './line.js';

/** How far above the first row the names of its columns can begin, in lines. */
const MOST_LINES = 6;
/** Of the row's width. */
const NARROW = 0.4;
const LINE_HEIGHT = 1.35;
const SAME_SIZE = 0.2;
const CENTRED = 0.05;
/** Above a row of two, what stands side by side may be anything. */
const MIN_CELLS = 3;
const BESIDE = 0.4;
/** Of the row's width: what begins further to the left stands over the names of the rows. */
const FIRST_COLUMN = 0.15;

/**
 * The names of a table's columns are often drawn one after the other, each with all of its lines. They become rows, as they are
 * read across the page.
 *
 * @param lines of a page, in the order of its content
 */
export function withRowsOfCells(lines: readonly Line[]): readonly Line[] {
  const result: Line[] = [];
  for (const line of lines) {
    const begin = line.segments.length >= MIN_CELLS ? beginOfNames(result, line) : result.length;
    const names = result.slice(begin);
    if (names.some((name, index) => index > 0 && isBeside(names[index - 1], name)))
      result.splice(begin, names.length, ...rowsOf(names, line));
    result.push(line);
  }
  return result;
}

/** Where the lines begin that stand closely above a row, are no wider than names, and look alike. */
function beginOfNames(lines: readonly Line[], row: Line): number {
  const width = row.right - row.left;
  const size = lines.at(-1)?.size ?? 0;
  const isName = (line: Line): boolean =>
    line.bottom >= row.bottom + row.size / 2 &&
    line.top - row.top < MOST_LINES * row.size * LINE_HEIGHT &&
    line.segments.every(({ left, right }) => right - left < NARROW * width) &&
    (line.segments.length === 1 || line.left > endOfFirstColumn(row) || !hasNumbers(line)) &&
    line.upright === row.upright &&
    Math.abs(line.size - size) < SAME_SIZE * size;
  return lines.findLastIndex((line) => !isName(line)) + 1;
}

/** As the rows of a table most often have, and its names rarely. */
function hasNumbers({ segments }: Line): boolean {
  return segments.slice(1).some(({ text }) => /\d/.test(text));
}

function endOfFirstColumn({ left, right }: Line): number {
  return left + FIRST_COLUMN * (right - left);
}

/** Whether a line goes on beside or above another, instead of below it. */
function isBeside(one: Line | undefined, other: Line): boolean {
  return one !== undefined && other.left > one.right && other.top > one.bottom + BESIDE * one.size;
}

function rowsOf(names: readonly Line[], row: Line): readonly Line[] {
  const rows: Line[][] = [];
  for (const name of names.toSorted((one, other) => other.top - one.top)) {
    const beside = rows.at(-1);
    if (beside?.[0] !== undefined && beside[0].top - name.top < BESIDE * name.size) beside.push(name);
    else rows.push([name]);
  }
  const first = rows.findIndex((cells) => cells.length > 1 || !isTitle(cells[0], row));
  const isLabel = ({ left }: Line): boolean => left < endOfFirstColumn(row);
  return rows.flatMap((cells, index) => (index < first || cells.every(isLabel) ? cells : [rowOf(cells)]));
}

/** Whether a line is centred over a whole row, names of rows included. */
function isTitle(line: Line | undefined, { left, right }: Line): boolean {
  return line !== undefined && Math.abs(line.left + line.right - left - right) < 2 * CENTRED * (right - left);
}

function rowOf(cells: readonly Line[]): Line {
  const [first] = cells;
  return {
    ...{ size: 0, bold: false, upright: true, hyphenated: false, ...first },
    segments: cells.flatMap(({ segments }) => segments).toSorted((one, other) => one.left - other.left),
    left: Math.min(...cells.map(({ left }) => left)),
    right: Math.max(...cells.map(({ right }) => right)),
    bottom: Math.min(...cells.map(({ bottom }) => bottom)),
    top: Math.max(...cells.map(({ top }) => top)),
    ofTable: true,
  };
}
