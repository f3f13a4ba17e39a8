import { QuarryError } from '@quarry/client';
import type { Language } from '../../language/define-messages.js';
import { translateFieldProblem } from '../../language/field-problem-texts.js';
import { evaluationsMessages } from './messages.js';

/** Maximum number of described problems. Their total number is unknown, because the API lists at most 20. */
const MAX_PROBLEMS = 5;
/** Matches the path of a problem, such as `dataset.jsonl line 3: question`. */
const PATH = /^dataset(?:\.csv|\.jsonl)?(?: line (\d+))?(?:(?:: |\.)(.+))?$/;

/**
 * Describes why the API refused the questions of a new evaluation, one problem per line, in a language. A reason without
 * a translation stays English. Returns undefined if the API did not refuse the questions.
 */
export function describeDatasetError(error: unknown, language: Language): string | undefined {
  const problems = error instanceof QuarryError ? error.errors.filter(({ path }) => PATH.test(path)) : [];
  if (problems.length === 0) return undefined;
  const lines = problems.slice(0, MAX_PROBLEMS).map((problem) => describeProblem(problem, language));
  const more = problems.length > MAX_PROBLEMS ? [evaluationsMessages[language].moreProblems] : [];
  return [...lines, ...more].join('\n');
}

interface DatasetProblem {
  readonly path: string;
  readonly message: string;
}

function describeProblem({ path, message }: DatasetProblem, language: Language): string {
  const messages = evaluationsMessages[language];
  const [, line, field] = PATH.exec(path) ?? [];
  const place = line === undefined ? messages.questionsText : messages.questionsLine(line);
  const subject = field === undefined ? place : messages.questionField(place, field);
  const problem = (language === 'de' ? translateFieldProblem(message) : undefined) ?? message;
  return `${subject} ${problem}.`;
}
