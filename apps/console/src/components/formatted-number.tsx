import type { ReactNode } from 'react';
import { useFormats } from '../language/language-context.js';

/** Shows a number with the separators of the language and digits of equal width. */
export function FormattedNumber({ value }: { readonly value: number }): ReactNode {
  return <span className="numbers">{useFormats().number(value)}</span>;
}

/** Shows a size in bytes with a fitting unit. */
export function FormattedBytes({ value }: { readonly value: number }): ReactNode {
  return <span className="numbers">{useFormats().bytes(value)}</span>;
}
