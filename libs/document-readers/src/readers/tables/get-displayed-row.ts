/**
 * Returns the row number that a spreadsheet displays, which counts empty rows.
 *
 * @param row number of the row, from 1, if empty rows are not counted
 * @param emptyRows displayed numbers of the empty rows, in ascending order
 */
export function getDisplayedRow(row: number, emptyRows: readonly number[] = []): number {
  // Binary search for the number of empty rows above the row, because a file can have an empty row after each row.
  let [above, end] = [0, emptyRows.length];
  while (above < end) {
    const middle = (above + end) >> 1;
    if ((emptyRows[middle] ?? Infinity) > row + middle) end = middle;
    else above = middle + 1;
  }
  return row + above;
}
