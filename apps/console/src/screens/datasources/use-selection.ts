import { useState } from 'react';
import { changeSelection } from './change-selection.js';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /**
   * Selects or deselects a row. With Shift, selects or deselects all rows from the previously changed row to this row.
   */
  readonly select: (id: string, isSelected: boolean, hasShift: boolean) => void;
  /** Selects these rows, and deselects all others. */
  readonly replace: (ids: readonly string[]) => void;
}

/**
 * Returns the selected rows of a list, and functions that change the selection.
 *
 * @param ids ids of the loaded rows, in their order
 */
export function useSelection(ids: readonly string[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string>();
  return {
    ids: selected,
    select: (id, isSelected, hasShift) => {
      setSelected(changeSelection(ids, selected, { id, isSelected, from: hasShift ? last : undefined }));
      setLast(id);
    },
    replace: (next) => {
      setSelected(new Set(next));
      setLast(undefined);
    },
  };
}
