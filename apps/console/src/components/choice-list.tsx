import type { ReactNode } from 'react';
import { Checkbox } from './checkbox.js';
import './field.css';
import type { MoreRows } from './list-end.js';
import { VirtualList } from './virtual-list.js';

export interface ChoiceListProps {
  /** The name of the list for screen readers. */
  readonly label: string;
  /** The items that are loaded so far, in the order in which the list shows them. */
  readonly items: readonly { readonly id: string; readonly name: string }[];
  /** The state of the items that are not loaded yet. Absent: all items are loaded. */
  readonly more?: MoreRows;
  /** The ids of the chosen items, including chosen items that are not loaded yet. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

const ROW_HEIGHT = 28;

/** Shows a list of items of which any number can be chosen. Only the visible rows are in the HTML document. */
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
