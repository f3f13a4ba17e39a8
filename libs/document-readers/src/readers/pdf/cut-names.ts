import { nearest, overlaps, type Column } from './columns.js';
import type { Line } from './line.js';
import type { Segment } from './segment.js';

/**
 * Names of columns that stand so close that they look like one cell are cut apart, where each of its parts stands above another
 * column. Where a cell has more parts than that, the spaces between its words are wide, and say nothing.
 *
 * @param lines that stand above the rows
 */
export function cutOver(lines: readonly Line[], columns: readonly Column[]): readonly Line[] {
  const parted = lines.flatMap(({ segments }) => segments).filter(({ parts }) => parts !== undefined);
  if (!parted.every((segment) => isNameOfEach(segment, columns))) return lines;
  return lines.map((line) => ({ ...line, segments: line.segments.flatMap((segment) => segment.parts ?? [segment]) }));
}

function isNameOfEach(segment: Segment, columns: readonly Column[]): boolean {
  const { parts = [] } = segment;
  const places = new Set(parts.map((part) => nearest(part, columns)));
  return places.size === parts.length && columns.filter((column) => overlaps(segment, column)).length === parts.length;
}
