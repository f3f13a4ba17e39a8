import { Suspense, type ReactNode } from 'react';
import './field.css';
import type { FieldProblem } from './find-field-error.js';
import { lazyComponent } from './lazy-component.js';

// This component needs the German texts of the API's reasons, so it is loaded only when the API refuses a field.
const FieldProblemText = lazyComponent(async () => (await import('./field-problem-text.js')).FieldProblemText);

export interface FieldErrorProps {
  /** A translated text of the console, or the reason with which the API refused the value. */
  readonly error: string | FieldProblem;
  readonly id?: string;
}

/**
 * Shows why the value of a field was refused. A text of the console is shown unchanged. The code that translates
 * reasons of the API is loaded when such a reason is first shown.
 */
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
