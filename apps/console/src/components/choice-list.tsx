import type { ReactNode } from 'react';
import { Checkbox } from './checkbox.js';
import './field.css';
import type { MoreRows } from './list-end.js';
import { VirtualList } from './virtual-list.js';

export interface ChoiceListProps {
  /** Names the list for screen readers. */
  readonly label: string;
  /** The items that are loaded. */
  readonly items: readonly { readonly id: string; readonly name: string }[];
  /** The items that are not loaded. Absent: all are loaded. */
  readonly more?: MoreRows;
  /** The ids of the chosen items. They may contain items that are not loaded. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

const ROW_HEIGHT = 28;

/** Shows a list of items of which any number can be chosen. Only its visible rows are in the document. */
export function ChoiceList({ chosen, onChange, items, ...list }: ChoiceListProps): ReactNode {
  return (
    <div className="choice-list">
      <VirtualList
        {...list}
        getKey={({ id }) => id}
        renderRow={({ id, name }) => (
          <Checkbox
            isChecked={chosen.includes(id)}
            label={name}
            onChange={(isChecked) => onChange(isChecked ? [...chosen, id] : chosen.filter((other) => other !== id))}
          />
        )}
        rowHeight={ROW_HEIGHT}
        rows={items}
      />
    </div>
  );
}
