import { performance } from 'node:perf_hooks';
import { MAX_RESULT_CHARACTERS } from '@quarry/contracts';
import { replaceUnstorableCharacters } from '@quarry/queue';
import { type Problem, convertErrorToProblem } from '@quarry/service-kit';
import { truncateText } from '@quarry/text-analysis/truncate-text';
import { translateDatabaseError } from '../database/translate-database-error.js';
import type { EvaluationRow } from '../database/tables/evaluations.js';
import { type AskedOutcome, askQuestion, type AskingParts } from './ask-question.js';
import type { NewResult, PendingQuestion } from './result-repository.js';
import { scoreQuestion } from './score-question.js';

/** Maximum number of passages of a search that are stored per question. All sources of an answer are stored. */
const MAX_STORED_PASSAGES = 10;
/** Delays in milliseconds between the attempts to ask a question whose query fails temporarily. */
const RETRY_DELAYS_MS = [1_000, 4_000, 10_000];
/** Codes of problems that end the evaluation, because all further questions would fail in the same way. */
const FATAL_CODES = ['usage_limit_reached', 'not_found', 'datastore_expired', 'model_not_configured'];
const MIN_SERVER_ERROR = 500;
const STATUS_TOO_MANY_REQUESTS = 429;

/** The dependencies that are needed to evaluate questions. */
export interface EvaluationParts extends AskingParts {
  /** Waits before a failed query is repeated. @throws when the signal aborts */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** The error that ends an evaluation, because no further question can be answered. */
export class EvaluationStopped extends Error {
  constructor(override readonly cause: Problem) {
    super(cause.message, { cause });
  }
}

/**
 * Asks a question and scores the outcome. Retries after a temporary failure. The result of a question that fails
 * contains the error.
 *
 * @throws EvaluationStopped for a failure that ends the evaluation; the reason of the signal when it aborts
 */
export async function evaluateQuestion(
  parts: EvaluationParts,
  evaluation: EvaluationRow,
  { position, question }: PendingQuestion,
  signal: AbortSignal,
): Promise<NewResult> {
  for (let attempt = 0; ; attempt += 1) {
    const startedAt = performance.now();
    try {
      const outcome = await askQuestion(parts, evaluation, question.question, signal);
      return buildQuestionResult({ position, question }, outcome, performance.now() - startedAt);
    } catch (error) {
      signal.throwIfAborted();
      const failure = translateDatabaseError(error);
      const found = convertErrorToProblem(failure);
      if (FATAL_CODES.includes(found.code)) throw new EvaluationStopped(found);
      const delay = RETRY_DELAYS_MS[attempt];
      if (delay === undefined || !isTemporaryProblem(found)) {
        logFailure(parts, { evaluation, position, failure });
        return buildFailedResult(position, found);
      }
      await parts.wait(delay, signal);
    }
  }
}

interface FailedQuestion {
  readonly evaluation: Pick<EvaluationRow, 'id'>;
  readonly position: number;
  readonly failure: unknown;
}

/**
 * Logs the cause of a failure if the problem has a status of 500 or more, because the stored result of the question
 * omits such details.
 */
function logFailure({ log }: Pick<EvaluationParts, 'log'>, { evaluation, position, failure }: FailedQuestion): void {
  const { code, kind } = convertErrorToProblem(failure);
  if (kind.status < MIN_SERVER_ERROR) return;
  log.error({ err: failure, code, evaluationId: evaluation.id, position }, 'a question of an evaluation failed');
}

function isTemporaryProblem({ kind: { status } }: Problem): boolean {
  return status >= MIN_SERVER_ERROR || status === STATUS_TOO_MANY_REQUESTS;
}

function buildQuestionResult(
  { position, question }: PendingQuestion,
  { passages, answer }: AskedOutcome,
  latencyMs: number,
): NewResult {
  const { scores, isRelevant } = scoreQuestion(question, { passages, answer });
  const results = passages
    .map(({ datasourceId, documentKey, source, page, score, cited, text }, at) => ({
      ...{ datasourceId, documentKey, source, page, score, relevant: isRelevant[at] ?? false },
      text: replaceUnstorableCharacters(truncateText(text, MAX_RESULT_CHARACTERS)),
      ...(cited === undefined ? {} : { cited }),
    }))
    .slice(0, answer === undefined ? MAX_STORED_PASSAGES : undefined);
  return {
    position,
    scores,
    error: null,
    latencyMs,
    answer: answer === undefined ? null : replaceUnstorableCharacters(answer),
    results,
  };
}

function buildFailedResult(position: number, { code, message }: Problem): NewResult {
  const error = { code, message: replaceUnstorableCharacters(message) };
  return { position, scores: null, error, latencyMs: null, answer: null, results: [] };
}
