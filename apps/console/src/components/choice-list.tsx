import { useState, type ReactNode } from 'react';
import { useFormats, useMessages } from '../language/language-context.js';
import { Checkbox } from './checkbox.js';
import { choiceMessages } from './choice-messages.js';
import './field.css';
import type { MoreRows } from './list-end.js';
import { TextField } from './text-field.js';
import { VirtualList } from './virtual-list.js';

interface Choice {
  readonly id: string;
  readonly name: string;
}

export interface ChoiceListProps {
  /** The name of the list for screen readers. */
  readonly label: string;
  /** The items that are loaded so far. The list shows them in this order, after the chosen ones. */
  readonly items: readonly Choice[];
  /** The state of the items that are not loaded yet. Absent: all items are loaded. */
  readonly more?: MoreRows;
  /** The ids of the chosen items, including chosen items that are not loaded yet. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

const ROW_HEIGHT = 28;
/** Maximum number of items of a list without a search field. */
const MAX_WITHOUT_SEARCH = 10;

/**
 * Shows a list of items of which any number can be chosen: the chosen ones first, their number, and a search field for
 * a long list. Only the visible rows are in the HTML document.
 */
export function ChoiceList({ chosen, onChange, items, more, label }: ChoiceListProps): ReactNode {
  const messages = useMessages(choiceMessages);
  const { number } = useFormats();
  const [search, setSearch] = useState('');
  const { sorted, keepOrder } = useChosenFirst(items, chosen);
  const hasMore = more?.hasMore === true;
  // While a search finds few rows, `VirtualList` loads further pages, so that the search covers all items.
  const rows = sorted.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  const count = number(chosen.length);
  const toggle = (id: string, isChecked: boolean): void => {
    const next = isChecked ? [...chosen, id] : chosen.filter((other) => other !== id);
    keepOrder(next);
    onChange(next);
  };
  return (
    <div className="choice-list">
      <p className="field-hint numbers">
        {hasMore ? messages.chosen(count) : messages.chosenOf(count, number(items.length))}
      </p>
      {(hasMore || items.length > MAX_WITHOUT_SEARCH) && (
        <SearchField label={messages.search(label)} onChange={setSearch} value={search} />
      )}
      {rows.length === 0 && !hasMore && (
        <p className="muted" role="status">
          {messages.notFound}
        </p>
      )}
      {(rows.length > 0 || hasMore) && (
        <VirtualList
          getKey={({ id }) => id}
          label={label}
          renderRow={({ id, name }) => (
            <div title={name}>
              <Checkbox isChecked={chosen.includes(id)} label={name} onChange={(isChecked) => toggle(id, isChecked)} />
            </div>
          )}
          rowHeight={ROW_HEIGHT}
          rows={rows}
          {...(more === undefined ? {} : { more })}
        />
      )}
    </div>
  );
}

interface ChosenFirst {
  readonly sorted: readonly Choice[];
  /** Announces a choice of the user, after which the rows must not move away from the pointer. */
  readonly keepOrder: (chosen: readonly string[]) => void;
}

/** Sorts the items that were chosen before the edits of the user to the beginning. */
function useChosenFirst(items: readonly Choice[], chosen: readonly string[]): ChosenFirst {
  const [edited, keepOrder] = useState(chosen);
  const [first, setFirst] = useState(chosen);
  if (edited.join() !== chosen.join()) {
    keepOrder(chosen);
    setFirst(chosen);
  }
  const isFirst = new Set(first);
  return {
    sorted: [...items.filter(({ id }) => isFirst.has(id)), ...items.filter(({ id }) => !isFirst.has(id))],
    keepOrder,
  };
}

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function SearchField(props: SearchFieldProps): ReactNode {
  return (
    <TextField
      {...props}
      isLabelHidden
      // Enter would submit the form that contains the list.
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault();
      }}
      placeholder={props.label}
      type="search"
    />
  );
}
