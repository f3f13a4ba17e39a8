/**
 * Returns the number of a row as a spreadsheet displays it, which counts empty rows.
 *
 * @param row number of the row without the empty rows, from 1
 * @param emptyRows displayed numbers of the empty rows, in ascending order
 */
export function getDisplayedRow(row: number, emptyRows: readonly number[] = []): number {
  let displayed = row;
  for (const empty of emptyRows) {
    if (empty > displayed) break;
    displayed += 1;
  }
  return displayed;
}
