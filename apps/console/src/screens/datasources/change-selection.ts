/**
 * A change of the selected rows of a list: the user selected or deselected the row `id`, or a range of rows up to this
 * row.
 */
export interface SelectionChange {
  readonly id: string;
  readonly isSelected: boolean;
  /** The id of the row at the other end of the changed range. Undefined: only the row with the id `id` changes. */
  readonly from: string | undefined;
}

/**
 * Returns the ids of the selected rows after a change. All rows of a range get the state of the row that the user
 * clicked.
 */
export function changeSelection(
  ids: readonly string[],
  selected: ReadonlySet<string>,
  { id, isSelected, from }: SelectionChange,
): ReadonlySet<string> {
  const next = new Set(selected);
  for (const changed of listIdsBetween(ids, from ?? id, id)) {
    if (isSelected) next.add(changed);
    else next.delete(changed);
  }
  return next;
}

/**
 * Returns the ids between two ids, both included, in either direction. If `ids` lacks one of them, returns only `to`.
 */
function listIdsBetween(ids: readonly string[], from: string, to: string): readonly string[] {
  const ends = [ids.indexOf(from), ids.indexOf(to)];
  if (ends.includes(-1)) return [to];
  return ids.slice(Math.min(...ends), Math.max(...ends) + 1);
}
