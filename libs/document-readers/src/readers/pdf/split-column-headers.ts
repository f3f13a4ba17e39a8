import { findNearestColumn, overlaps, type Column } from './columns.js';
import type { Line } from './line.js';
import type { Segment } from './segment.js';

/**
 * Splits column headers that are so close that they were read as one cell. A header is split if each of its parts is above a
 * different column. If any header has more parts than columns below it, its gaps are wide spaces and no header is split.
 *
 * @param lines above the rows of the table
 */
export function splitColumnHeaders(lines: readonly Line[], columns: readonly Column[]): readonly Line[] {
  const splittable = lines.flatMap(({ segments }) => segments).filter(({ parts }) => parts !== undefined);
  if (!splittable.every((segment) => hasOnePartPerColumn(segment, columns))) return lines;
  return lines.map((line) => ({ ...line, segments: line.segments.flatMap((segment) => segment.parts ?? [segment]) }));
}

function hasOnePartPerColumn(segment: Segment, columns: readonly Column[]): boolean {
  const { parts = [] } = segment;
  const indexes = new Set(parts.map((part) => findNearestColumn(part, columns)));
  return indexes.size === parts.length && columns.filter((column) => overlaps(segment, column)).length === parts.length;
}
