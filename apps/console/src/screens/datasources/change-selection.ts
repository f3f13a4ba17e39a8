/** A change of the selection: a row was selected or deselected. */
export interface SelectionChange {
  readonly id: string;
  readonly isSelected: boolean;
  /** The row at which a range starts that ends at this row. Undefined: only this row changes. */
  readonly from: string | undefined;
}

/** Returns the selection after a change. In a range, all rows between both ends get the state of the last one. */
export function changeSelection(
  ids: readonly string[],
  selected: ReadonlySet<string>,
  { id, isSelected, from }: SelectionChange,
): ReadonlySet<string> {
  const next = new Set(selected);
  for (const changed of findRange(ids, from ?? id, id)) {
    if (isSelected) next.add(changed);
    else next.delete(changed);
  }
  return next;
}

/** Returns the ids from one to another, in either direction. A range whose start was removed from the list is its end only. */
function findRange(ids: readonly string[], from: string, to: string): readonly string[] {
  const ends = [ids.indexOf(from), ids.indexOf(to)];
  if (ends.includes(-1)) return [to];
  return ids.slice(Math.min(...ends), Math.max(...ends) + 1);
}
