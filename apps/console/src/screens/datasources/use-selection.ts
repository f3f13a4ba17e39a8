import { useState } from 'react';
import { changeSelection } from './change-selection.js';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /**
   * Selects or deselects a row. If `hasShift` is true, also changes all rows between this row and the previously
   * changed row.
   */
  readonly select: (id: string, isSelected: boolean, hasShift: boolean) => void;
  /** Selects the rows with these ids, and deselects all other rows. */
  readonly replace: (ids: readonly string[]) => void;
}

/**
 * Returns the ids of the selected rows of a list, and functions that change the selection.
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
