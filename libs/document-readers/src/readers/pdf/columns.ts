/** Describes a column or a cell as a horizontal interval of the page, in points. */
export interface Column {
  readonly left: number;
  readonly right: number;
}

/** Merges cells that overlap horizontally into columns. */
export function mergeIntoColumns(cells: readonly Column[]): readonly Column[] {
  const columns: Column[] = [];
  for (const { left, right } of cells.toSorted((one, other) => one.left - other.left)) {
    const last = columns.at(-1);
    if (last !== undefined && left < last.right)
      columns[columns.length - 1] = { left: last.left, right: Math.max(last.right, right) };
    else columns.push({ left, right });
  }
  return columns;
}

export function areOverlapping(one: Column, other: Column): boolean {
  return measureGapBetween(one, other) < 0;
}

/** Returns the horizontal distance between two intervals. Negative if the intervals overlap. */
export function measureGapBetween(one: Column, other: Column): number {
  return Math.max(one.left, other.left) - Math.min(one.right, other.right);
}

/** Returns the index of the column whose centre is closest to the centre of the interval. */
export function findNearestColumn({ left, right }: Column, columns: readonly Column[]): number {
  const distances = columns.map((column) => Math.abs(left + right - column.left - column.right));
  return distances.indexOf(Math.min(...distances));
}

/** Returns the overlap of two intervals as a share of the narrower one. Negative if the intervals do not overlap. */
export function computeOverlapShare(one: Column, other: Column): number {
  return -measureGapBetween(one, other) / Math.min(getColumnWidth(one), getColumnWidth(other));
}

/**
 * Returns whether an interval is centred over the columns. @param tolerance maximum distance between the centres, as a
 * share of the total width of the columns
 */
export function isCentredOverColumns({ left, right }: Column, columns: readonly Column[], tolerance: number): boolean {
  const from = columns[0]?.left ?? 0;
  const to = columns.at(-1)?.right ?? 0;
  return Math.abs(left + right - from - to) < 2 * tolerance * (to - from);
}

export function isWiderThan(one: Column, other: Column | undefined, factor = 1): boolean {
  return other !== undefined && getColumnWidth(one) > factor * getColumnWidth(other);
}

function getColumnWidth({ left, right }: Column): number {
  return right - left;
}
