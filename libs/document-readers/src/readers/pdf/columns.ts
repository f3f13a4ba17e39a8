/** An interval across the page, in points. */
export interface Column {
  readonly left: number;
  readonly right: number;
}

/** Cells that overlap across the page are of one column. */
export function columnsOf(cells: readonly Column[]): readonly Column[] {
  const columns: Column[] = [];
  for (const { left, right } of cells.toSorted((one, other) => one.left - other.left)) {
    const last = columns.at(-1);
    if (last !== undefined && left < last.right)
      columns[columns.length - 1] = { left: last.left, right: Math.max(last.right, right) };
    else columns.push({ left, right });
  }
  return columns;
}

export function overlaps(one: Column, other: Column): boolean {
  return distance(one, other) < 0;
}

/** Below zero where they overlap. */
export function distance(one: Column, other: Column): number {
  return Math.max(one.left, other.left) - Math.min(one.right, other.right);
}

/** Which of the columns has its middle nearest to that of a cell. */
export function nearest({ left, right }: Column, columns: readonly Column[]): number {
  const distances = columns.map((column) => Math.abs(left + right - column.left - column.right));
  return distances.indexOf(Math.min(...distances));
}

/** The share of the narrower that stands above or below the other; below zero where they stand apart. */
export function shareAbove(one: Column, other: Column): number {
  return -distance(one, other) / Math.min(widthOf(one), widthOf(other));
}

/** @param tolerance of the width of the columns */
export function isCentred({ left, right }: Column, columns: readonly Column[], tolerance: number): boolean {
  const from = columns[0]?.left ?? 0;
  const to = columns.at(-1)?.right ?? 0;
  return Math.abs(left + right - from - to) < 2 * tolerance * (to - from);
}

export function isWiderThan(one: Column, other: Column | undefined, times = 1): boolean {
  return other !== undefined && widthOf(one) > times * widthOf(other);
}

function widthOf({ left, right }: Column): number {
  return right - left;
}
