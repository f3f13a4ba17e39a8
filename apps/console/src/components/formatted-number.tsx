import type { ReactNode } from 'react';
import { useFormats } from '../language/language-context.js';

/** Shows a number with the separators of the user's language and with digits of equal width. */
export function FormattedNumber({ value }: { readonly value: number }): ReactNode {
  return <span className="numbers">{useFormats().number(value)}</span>;
}

/** Shows a number of bytes in a unit that fits its size, such as MB. */
export function FormattedBytes({ value }: { readonly value: number }): ReactNode {
  return <span className="numbers">{useFormats().bytes(value)}</span>;
}
