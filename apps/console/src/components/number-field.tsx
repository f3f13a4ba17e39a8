import type { ReactNode } from 'react';
import { useMessages } from '../language/language-context.js';
import { componentMessages } from './messages.js';
import { isNumberText, type NumberKind } from './number-text.js';
import { TextField, type TextFieldProps } from './text-field.js';

export interface NumberFieldProps extends Omit<TextFieldProps, 'inputMode' | 'type'> {
  readonly kind: NumberKind;
}

/**
 * Shows a text field for a number. Shows an error while its text is not a number: the form must not be sent then. The
 * type of the input is text, because an input of the type number has an empty value then.
 */
export function NumberField({ kind, error, ...field }: NumberFieldProps): ReactNode {
  const { notNumber, notWholeNumber } = useMessages(componentMessages);
  const problem = kind === 'whole' ? notWholeNumber : notNumber;
  return (
    <TextField
      {...field}
      error={isNumberText(field.value, kind) ? error : problem}
      inputMode={kind === 'whole' ? 'numeric' : 'decimal'}
    />
  );
}
