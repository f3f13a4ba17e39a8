import { setTimeout as pause } from 'node:timers/promises';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.js';
import { type RunningLoop, startLoop } from '../concurrency/start-loop.js';
import { redactQueryParameters } from '../database/query-error.js';
import type { EvaluationRow } from '../database/tables/evaluations.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { claimEvaluation, LEASE_MS, releaseEvaluationClaim, renewEvaluationClaim } from './claim-evaluation.js';
import { completeEvaluation, failEvaluation } from './end-evaluation.js';
import { evaluateQuestion, EvaluationStopped, type EvaluationParts } from './evaluate-question.js';
import { listPendingQuestions, recordQuestionResult } from './result-repository.js';

/** Maximum time in milliseconds until an idle evaluator looks for evaluations that other gateways store or release. */
const POLL_MS = 1_000;
/**
 * Time in milliseconds during which the evaluator starts questions of one evaluation. It then waits for the questions
 * in progress, and claims the next evaluation.
 */
const TURN_MS = 10_000;
/** Number of questions that are read from the database at once. */
const BATCH = 50;
/** Maximum number of concurrent searches for evaluations per gateway. */
const SEARCHES_AT_ONCE = 2;
/** Maximum number of concurrent answers for evaluations per gateway. Answers mostly wait for a model. */
const ANSWERS_AT_ONCE = 4;
const RENEWALS_PER_LEASE = 3;
/** Maximum duration of an evaluation in milliseconds. A longer evaluation ends with an error. */
const MAX_DURATION_MS = 7 * 86_400_000;

/**
 * Starts the evaluator, which runs one evaluation at a time. When a gateway stops, it releases its evaluation. Another
 * gateway then continues with the questions that have not ended.
 */
export function startEvaluator(gateway: Pick<Gateway, 'evaluationsDue'> & Omit<EvaluationParts, 'wait'>): RunningLoop {
  const { log, evaluationsDue } = gateway;
  const stopping = new AbortController();
  const parts = { ...gateway, wait: async (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }) };
  const loop = startLoop({
    log,
    work: async () => !stopping.signal.aborted && runNextEvaluation(parts, stopping.signal),
    failed: false,
    pause: async (hasWorked) => {
      if (!hasWorked) await evaluationsDue.wait(POLL_MS);
    },
    wake: () => {
      evaluationsDue.wake();
    },
    messages: {
      unavailable: 'evaluations cannot be run; retrying',
      available: 'evaluations are run again',
    },
  });
  return {
    close: async () => {
      stopping.abort(problem('service_stopping', 'The service is stopping.'));
      await loop.close();
    },
  };
}

/**
 * Claims the next evaluation and runs it for 10 seconds, or until it ends.
 *
 * @param stopping aborts the queries in progress when the gateway stops; their questions are asked again later
 * @returns false if no evaluation can be claimed
 */
export async function runNextEvaluation(parts: EvaluationParts, stopping: AbortSignal): Promise<boolean> {
  const { db, clock, log } = parts;
  const evaluation = await claimEvaluation(db, clock());
  if (evaluation === undefined) return false;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const renewal = setInterval(() => {
    renewEvaluationClaim(db, evaluation, clock())
      .then((isRenewed) => {
        if (!isRenewed) lost.abort(new Error('the evaluation has ended or another gateway has claimed it'));
      })
      .catch((error: unknown) => {
        log.warn({ err: redactQueryParameters(error) }, 'failed to extend the lease of an evaluation');
      });
  }, LEASE_MS / RENEWALS_PER_LEASE);
  try {
    await evaluatePendingQuestions(parts, evaluation, signal, lost);
  } catch (error) {
    if (error instanceof EvaluationStopped) {
      const { code, message } = error.cause;
      await failEvaluation(db, evaluation, { code, message }, clock());
    } else if (!signal.aborted) throw error;
  } finally {
    clearInterval(renewal);
    await releaseEvaluationClaim(db, evaluation, clock());
  }
  return true;
}

/** Asks questions that have no outcome yet, for 10 seconds. Completes the evaluation if no such question is left. */
async function evaluatePendingQuestions(
  parts: EvaluationParts,
  evaluation: EvaluationRow,
  signal: AbortSignal,
  lostClaim: AbortController,
): Promise<void> {
  const { db, clock } = parts;
  const now = clock();
  if (now.getTime() - (evaluation.startedAt ?? now).getTime() > MAX_DURATION_MS) {
    throw new EvaluationStopped(problem('internal_error', 'The evaluation did not end within seven days.'));
  }
  const end = now.getTime() + TURN_MS;
  const atOnce = evaluation.agentId === null ? SEARCHES_AT_ONCE : ANSWERS_AT_ONCE;
  while (clock().getTime() < end) {
    signal.throwIfAborted();
    const questions = await listPendingQuestions(db, evaluation, BATCH);
    if (questions.length === 0) return completeEvaluation(db, evaluation, clock());
    await forEachConcurrently(atOnce, questions, async (question) => {
      if (clock().getTime() >= end) return;
      signal.throwIfAborted();
      const result = await evaluateQuestion(parts, evaluation, question, signal);
      if (!(await recordQuestionResult(db, evaluation, result))) {
        lostClaim.abort(new Error('the evaluation has ended or another gateway has claimed it'));
      }
    });
  }
}
