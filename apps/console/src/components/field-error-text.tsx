import type { ReactNode } from 'react';
import { describeFieldProblem } from '../language/field-problem-texts.js';
import { useLanguage } from '../language/language-context.js';
import type { FieldProblem } from './find-field-error.js';

export interface FieldErrorTextProps {
  readonly error: string | FieldProblem;
  readonly id?: string;
}

/** Shows why a value was refused. A reason of the API that has no translation is marked as English. */
export function FieldErrorText({ error, id }: FieldErrorTextProps): ReactNode {
  const { language: shown } = useLanguage();
  if (typeof error === 'string') {
    return (
      <p className="field-error" id={id}>
        {error}
      </p>
    );
  }
  const { text, language } = describeFieldProblem(error.problem, shown);
  return (
    <p className="field-error" id={id} lang={language}>
      {text}
    </p>
  );
}
