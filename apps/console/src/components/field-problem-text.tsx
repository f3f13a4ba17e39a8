import type { ReactNode } from 'react';
import { describeFieldProblem } from '../language/field-problem-texts.js';
import { useLanguage } from '../language/language-context.js';
import type { FieldProblem } from './find-field-error.js';

export interface FieldProblemTextProps extends FieldProblem {
  readonly id?: string | undefined;
}

/** Shows the reason why the API refused a value. A reason without a translation has the attribute `lang="en"`. */
export function FieldProblemText({ problem, id }: FieldProblemTextProps): ReactNode {
  const { language: shown } = useLanguage();
  const { text, language } = describeFieldProblem(problem, shown);
  return (
    <p className="field-error" id={id} lang={language}>
      {text}
    </p>
  );
}
