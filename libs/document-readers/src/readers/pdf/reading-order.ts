import { findProseColumns, type ColumnNumber } from './prose-columns.js';
import type { Line } from './line.js';
import type { Segment } from './segment.js';

/**
 * Maximum share of segments whose column differs from that of the previous segment, on a page that stores one column
 * after the other.
 */
const MAX_SWITCH_SHARE = 0.25;

/**
 * Sorts lines into reading order, in which most pages already store them. If a page stores columns line by line, puts
 * one column after the other, down to the next line that spans several columns.
 */
export function sortIntoReadingOrder(lines: readonly Line[]): readonly Line[] {
  const findColumn = findProseColumns(lines);
  if (findColumn === undefined) return lines;
  const columnNumbers = lines
    .flatMap(({ segments }) => segments.map(findColumn))
    .filter((number) => typeof number === 'number');
  const switches = columnNumbers.filter((number, index) => index > 0 && number !== columnNumbers[index - 1]).length;
  return switches > MAX_SWITCH_SHARE * columnNumbers.length ? orderByColumn(lines, findColumn) : lines;
}

function orderByColumn(lines: readonly Line[], findColumn: (segment: Segment) => ColumnNumber): readonly Line[] {
  const ordered: Line[] = [];
  let columns: Line[][] = [];
  for (const line of lines) {
    const columnNumbers = line.segments.map(findColumn);
    if (columnNumbers.includes('spanning')) {
      ordered.push(...columns.flat(), line);
      columns = [];
      continue;
    }
    for (const number of new Set(columnNumbers.filter((one) => one !== 'spanning'))) {
      (columns[number] ??= []).push(selectSegments(line, (_, index) => columnNumbers[index] === number));
    }
  }
  return [...ordered, ...columns.flat()];
}

function selectSegments(line: Line, isSelected: (segment: Segment, index: number) => boolean): Line {
  const segments = line.segments.filter(isSelected);
  return {
    ...line,
    segments,
    left: Math.min(...segments.map((segment) => segment.left)),
    right: Math.max(...segments.map((segment) => segment.right)),
    hyphenated: line.hyphenated && segments.at(-1) === line.segments.at(-1),
  };
}
