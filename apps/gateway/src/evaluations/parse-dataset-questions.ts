import { EvaluationQuestion, formatCount, type NewEvaluationDataset } from '@quarry/contracts';
import { parseCleanJson } from '@quarry/queue';
import { countCharacters, type FieldIssue, parse, ValidationError } from '@quarry/validation';
import { basicProblem } from '@quarry/service-kit';
import { createFieldProblem } from '../checks/field-problem.js';
import type { Limits } from '../limits.js';
import { parseCsvQuestions } from './parse-csv-questions.js';
import type { StoredQuestion } from '../database/tables/evaluations.js';

/** Maximum number of invalid fields or lines that a problem lists. */
const MAX_ISSUES = 20;

/** A question with its position in the request (`at`), such as `dataset.jsonl line 3`. */
interface LocatedQuestion {
  readonly at: string;
  readonly question: EvaluationQuestion;
}

type QuestionLimits = Pick<Limits, 'evaluationQuestions' | 'queryCharacters'>;

/** Parses the questions of a new dataset. @throws Problem 400 with the invalid fields or lines */
export function parseDatasetQuestions(
  dataset: NewEvaluationDataset,
  limits: QuestionLimits,
): readonly StoredQuestion[] {
  requireOneQuestionFormat(dataset);
  const located = parseQuestions(dataset);
  if (located.length === 0) throw createFieldProblem('dataset', 'must contain a question, found none');
  if (located.length > limits.evaluationQuestions) {
    const expected = `must contain at most ${limits.evaluationQuestions} questions`;
    throw createFieldProblem('dataset', `${expected}, found ${located.length}`);
  }
  const issues = located.flatMap(({ at, question }) =>
    listQuestionIssues(question, limits).map(createIssuePathPrefixer(at)),
  );
  requireNoIssues(issues);
  const questions = located.map(({ question }, index) => toStoredQuestion(question, index + 1));
  requireNoIssues(listRepeatedIdIssues(questions, located));
  return questions;
}

/**
 * Refuses a dataset unless it contains exactly one of `questions`, `jsonl`, `csv` and `feedback`.
 *
 * @throws Problem 400
 */
export function requireOneQuestionFormat({ questions, jsonl, csv, feedback }: NewEvaluationDataset): void {
  const given = [questions, jsonl, csv, feedback].filter((form) => form !== undefined && form !== null).length;
  if (given !== 1) {
    throw createFieldProblem('dataset', `must have exactly one of questions, jsonl, csv and feedback, found ${given}`);
  }
}

function parseQuestions({ questions, jsonl, csv }: NewEvaluationDataset): readonly LocatedQuestion[] {
  if (typeof jsonl === 'string') return parseJsonLines(jsonl);
  if (typeof csv === 'string') return parseQuestionRecords(parseCsvQuestions(csv));
  return (questions ?? []).map((question, index) => ({ at: `dataset.questions.${index}`, question }));
}

function parseJsonLines(text: string): readonly LocatedQuestion[] {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ at: `dataset.jsonl line ${index + 1}`, line: line.trim() }));
  const issues: FieldIssue[] = [];
  const records = lines.flatMap(({ at, line }) => {
    if (line === '') return [];
    try {
      return { at, value: parseCleanJson(line.replace(/^\uFEFF/, '')) };
    } catch {
      issues.push({ path: at, message: `must be a JSON object, found ${JSON.stringify(line.slice(0, 40))}` });
      return [];
    }
  });
  requireNoIssues(issues);
  return parseQuestionRecords(records);
}

/** Validates records as questions. @param records with their positions @throws Problem 400 with the invalid records */
function parseQuestionRecords(
  records: readonly { readonly at: string; readonly value: unknown }[],
): readonly LocatedQuestion[] {
  const issues: FieldIssue[] = [];
  const questions = records.flatMap(({ at, value }) => {
    try {
      return { at, question: parse(EvaluationQuestion, value, 'refuse') };
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      issues.push(...error.issues.map(({ path, message }) => ({ path: path === '' ? at : `${at}: ${path}`, message })));
      return [];
    }
  });
  requireNoIssues(issues);
  return questions;
}

/** Lists violations of rules that decorators cannot express. @returns messages with the paths of the fields */
function listQuestionIssues(
  { question, expected, relevant, unanswerable }: EvaluationQuestion,
  { queryCharacters }: QuestionLimits,
): readonly FieldIssue[] {
  const issues: FieldIssue[] = [];
  if (question.trim() === '') issues.push({ path: 'question', message: 'must contain text, found none' });
  const characters = countCharacters(question);
  if (characters > queryCharacters) {
    issues.push({ path: 'question', message: `must have at most ${queryCharacters} characters, found ${characters}` });
  }
  for (const [index, text] of (expected ?? []).entries()) {
    if (text.trim() === '') issues.push({ path: `expected.${index}`, message: 'must contain text, found none' });
  }
  for (const [index, reference] of (relevant ?? []).entries()) {
    const given = Object.values(reference).filter(hasText);
    if (given.length !== 1) {
      issues.push({
        path: `relevant.${index}`,
        message: `must have exactly one field with text, found ${given.length}`,
      });
    }
  }
  const known = (expected?.length ?? 0) + (relevant?.length ?? 0);
  if (unanswerable === true && known > 0) {
    issues.push({
      path: 'unanswerable',
      message: 'must be false for a question with expected or relevant, found true',
    });
  }
  return issues;
}

function hasText(field: unknown): boolean {
  return typeof field === 'string' && field.trim() !== '';
}

/** Creates a function that adds the position of a question in the request to the path of an issue. */
function createIssuePathPrefixer(at: string): (issue: FieldIssue) => FieldIssue {
  return ({ path, message }) => ({ path: `${at}${at.includes(' line ') ? ': ' : '.'}${path}`, message });
}

function listRepeatedIdIssues(questions: readonly StoredQuestion[], located: readonly LocatedQuestion[]): FieldIssue[] {
  const seen = new Set<string>();
  return questions.flatMap(({ id }, index) => {
    const isRepeated = seen.has(id);
    seen.add(id);
    if (!isRepeated) return [];
    return createIssuePathPrefixer(located[index]?.at ?? '')({
      path: 'id',
      message: `must be unique, found ${JSON.stringify(id)} again`,
    });
  });
}

/** Throws one problem that describes all issues. @throws Problem 400 if there is an issue */
function requireNoIssues(issues: readonly FieldIssue[]): void {
  const [first] = issues;
  if (first === undefined) return;
  const others = issues.length - 1;
  const more = others === 0 ? '' : ` ${formatCount(others, 'more issue')} ${others === 1 ? 'was' : 'were'} found.`;
  throw basicProblem('validation_failed', `${first.path} ${first.message}.${more}`, {
    errors: issues.slice(0, MAX_ISSUES),
  });
}

function toStoredQuestion(
  { id, question, expected, relevant, unanswerable }: EvaluationQuestion,
  position: number,
): StoredQuestion {
  return {
    id: id ?? String(position),
    question,
    expected: expected ?? [],
    relevant: (relevant ?? []).map((reference) =>
      Object.fromEntries(Object.entries(reference).filter(([, field]) => hasText(field))),
    ),
    unanswerable: unanswerable ?? false,
  };
}
