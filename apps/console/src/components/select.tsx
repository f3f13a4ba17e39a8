import type { ComponentProps, ReactNode } from 'react';
import { Field, type FieldTexts } from './field.js';
import { ChevronDownIcon } from './icons.js';

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly isDisabled?: boolean;
}

export interface SelectProps<Value extends string>
  extends FieldTexts, Omit<ComponentProps<'select'>, 'className' | 'id' | 'onChange' | 'value' | 'children'> {
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
}

/**
 * Shows a field that selects one of several values. Uses the native control, which works with keyboards and touch
 * screens.
 */
export function Select<Value extends string>(props: SelectProps<Value>): ReactNode {
  const { label, hint, error, isOptional = false, isLabelHidden = false, options, onChange, ...attributes } = props;
  return (
    <Field error={error} hint={hint} isLabelHidden={isLabelHidden} isOptional={isOptional} label={label}>
      {(control) => (
        <span className="select">
          <select
            {...attributes}
            {...control}
            className="input"
            onChange={(event) => {
              const chosen = options.find(({ value }) => value === event.target.value);
              if (chosen !== undefined) onChange(chosen.value);
            }}
          >
            {options.map(({ value, label: text, isDisabled = false }) => (
              <option disabled={isDisabled} key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
          <ChevronDownIcon size={14} />
        </span>
      )}
    </Field>
  );
}
