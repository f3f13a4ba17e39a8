import { useId, type ReactNode } from 'react';
import './data.css';
import { moveFocus } from './move-focus.js';

export interface TabsProps<Name extends string> {
  /** The name of the tab list for screen readers. */
  readonly label: string;
  readonly tabs: readonly { readonly name: Name; readonly title: string; readonly content: ReactNode }[];
  readonly value: Name;
  readonly onChange: (name: Name) => void;
}

/**
 * Shows tabs, and below them the content of the selected tab. Callers store the selected tab in the address, so that a
 * link opens the same tab.
 */
export function Tabs<Name extends string>({ label, tabs, value, onChange }: TabsProps<Name>): ReactNode {
  const id = useId();
  const shown = tabs.find(({ name }) => name === value);
  return (
    <div className="tabs">
      <div
        aria-label={label}
        className="tabs-list"
        onKeyDown={(event) => {
          if (event.key.length > 1 && moveFocus(event.currentTarget, event.key)) event.preventDefault();
        }}
        role="tablist"
        tabIndex={-1}
      >
        {tabs.map(({ name, title }) => (
          <button
            aria-controls={name === value ? `${id}-panel` : undefined}
            aria-selected={name === value}
            className="tab"
            id={`${id}-${name}`}
            key={name}
            onClick={() => onChange(name)}
            // Arrow keys select the tab to which they move the focus.
            onFocus={() => {
              if (name !== value) onChange(name);
            }}
            role="tab"
            tabIndex={name === value ? 0 : -1}
            type="button"
          >
            {title}
          </button>
        ))}
      </div>
      {shown !== undefined && (
        <div
          aria-labelledby={`${id}-${shown.name}`}
          className="tab-panel"
          id={`${id}-panel`}
          key={shown.name}
          role="tabpanel"
        >
          {shown.content}
        </div>
      )}
    </div>
  );
}
