import type { ReactNode } from 'react';
import type { FieldProblem } from '../../components/find-field-error.js';
import { TextField } from '../../components/text-field.js';
import { useMessages } from '../../language/language-context.js';
import { findAddressProblem } from './find-address-problem.js';
import { uploadMessages } from './messages.js';

export interface AddressFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
  readonly value: string;
  readonly error: FieldProblem | undefined;
  readonly onChange: (value: string) => void;
}

/**
 * Shows a field for the address of a page. The user may omit the scheme: the form then adds `https://` when it sends
 * the address.
 */
export function AddressField({ error, ...props }: AddressFieldProps): ReactNode {
  const messages = useMessages(uploadMessages);
  const known = error === undefined ? undefined : findAddressProblem(error.problem);
  return (
    <TextField
      {...props}
      error={known === undefined ? error : messages[known]}
      inputMode="url"
      isCode
      placeholder="https://"
      spellCheck={false}
    />
  );
}
