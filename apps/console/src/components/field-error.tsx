import { lazy, Suspense, type ReactNode } from 'react';
import './field.css';
import type { FieldProblem } from './find-field-error.js';

// The German texts of the API's reasons are loaded when a field is refused.
const FieldProblemText = lazy(async () => ({
  default: (await import('./field-problem-text.js')).FieldProblemText,
}));

export interface FieldErrorProps {
  /** A text of the console, or a reason of the API. */
  readonly error: string | FieldProblem;
  readonly id?: string;
}

/** Shows why a value was refused. A text of the console itself is shown without a request, and thus also offline. */
export function FieldError({ error, id }: FieldErrorProps): ReactNode {
  if (typeof error === 'string') {
    return (
      <p className="field-error" id={id}>
        {error}
      </p>
    );
  }
  return (
    <Suspense>
      <FieldProblemText id={id} problem={error.problem} />
    </Suspense>
  );
}
