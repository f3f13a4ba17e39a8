import type { ComponentProps, ReactNode } from 'react';
import { Field, type FieldTexts } from './field.js';
import { joinClasses } from './join-classes.js';

type InputAttributes = Omit<ComponentProps<'input'>, 'className' | 'id' | 'onChange' | 'value'>;
type TextAttributes = Omit<ComponentProps<'textarea'>, 'className' | 'id' | 'onChange' | 'value'>;

interface TextValue {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** True to show the value in a fixed-width font, such as for keys and addresses. */
  readonly isCode?: boolean;
}

export type TextFieldProps = FieldTexts & TextValue & InputAttributes;

/** Shows a text field of one line with its label. */
export function TextField(props: TextFieldProps): ReactNode {
  const { label, hint, error, isOptional, isLabelHidden, onChange, isCode = false, ...attributes } = props;
  return (
    <Field {...{ label, hint, error, ...omitUndefinedFlags({ isOptional, isLabelHidden }) }}>
      {(control) => (
        <input
          autoComplete="off"
          dir="auto"
          type="text"
          {...attributes}
          {...control}
          className={joinClasses('input', isCode && 'input-code')}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export type TextAreaProps = FieldTexts & TextValue & TextAttributes;

/** Shows a text field of several lines with its label. The field grows with its text. */
export function TextArea(props: TextAreaProps): ReactNode {
  const { label, hint, error, isOptional, isLabelHidden, onChange, isCode = false, ...attributes } = props;
  return (
    <Field {...{ label, hint, error, ...omitUndefinedFlags({ isOptional, isLabelHidden }) }}>
      {(control) => (
        <textarea
          dir="auto"
          {...attributes}
          {...control}
          className={joinClasses('input', isCode && 'input-code')}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/**
 * Returns the flags without the undefined ones, because the compiler refuses undefined as the value of an optional
 * property.
 */
function omitUndefinedFlags(flags: Readonly<Record<string, boolean | undefined>>): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    Object.entries(flags).filter((entry): entry is [string, boolean] => entry[1] !== undefined),
  );
}
