import { QuarryError } from '@quarry/client';
import type { Language } from '../../language/define-messages.js';
import { translateFieldProblem } from '../../language/field-problem-texts.js';
import { createFormats } from '../../language/formats.js';
import { evaluationsMessages } from './messages.js';

/** Maximum number of described problems. The text of an error states how many problems follow. */
const MAX_PROBLEMS = 5;
/** Matches the path of a problem, such as `dataset.jsonl line 3: question`. */
const PATH = /^dataset(?:\.csv|\.jsonl)?(?: line (\d+)(?!\d))?(?::? ?(\S+))?$/;

/**
 * Describes why the API refused the questions of a new evaluation, one problem per line, in a language. A reason without
 * a translation stays English. Returns undefined if the API did not refuse the questions.
 */
export function describeDatasetError(error: unknown, language: Language): string | undefined {
  const problems = error instanceof QuarryError ? error.errors.filter(({ path }) => PATH.test(path)) : [];
  if (problems.length === 0) return undefined;
  const { moreProblemsOne: one, moreProblemsOther: other } = evaluationsMessages[language];
  const lines = problems.slice(0, MAX_PROBLEMS).map((problem) => describeProblem(problem, language));
  const rest = problems.length - lines.length;
  return [...lines, ...(rest === 0 ? [] : [createFormats(language).plural(rest, { one, other })])].join('\n');
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
