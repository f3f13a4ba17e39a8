/**
 * Adds a row and the rows directly before and after it to the rows that are rendered. Returns the indexes of all these
 * rows, in ascending order.
 *
 * @param indexes indexes of the visible rows, in ascending order
 * @param index index of the added row; -1 adds none
 * @param count number of rows of the list
 */
export function addRowWithNeighbours(indexes: number[], index: number, count: number): number[] {
  if (index === -1) return indexes;
  const added = [index - 1, index, index + 1].filter((at) => at >= 0 && at < count && !indexes.includes(at));
  return [...indexes, ...added].sort((first, second) => first - second);
}
