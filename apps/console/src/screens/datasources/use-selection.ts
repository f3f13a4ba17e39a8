import { useState } from 'react';
import { changeSelection } from './change-selection.js';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Selects or deselects a row. With Shift, all rows since the one that was changed before. */
  readonly select: (id: string, isSelected: boolean, hasShift: boolean) => void;
  /** Selects these rows and no others. */
  readonly replace: (ids: readonly string[]) => void;
}

/** Keeps the selected rows of a list. @param ids the loaded rows in their order */
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
