import type { EvaluationError } from '@quarry/contracts';
import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Queries } from '../database/database.js';
import { evaluationResults, evaluations, type EvaluationRow } from '../database/tables/evaluations.js';
import { problem } from '../problems.js';
import { type Claim, buildClaimCondition } from './claim-evaluation.js';
import { computeMetrics } from './compute-metrics.js';
import { loadQuestionValues } from './result-repository.js';

type StoredError = Pick<EvaluationError, keyof EvaluationError>;

/** Ends an evaluation whose questions have all ended. If all questions failed, the status becomes `error`. */
export async function completeEvaluation(db: Queries, claim: Claim, now: Date): Promise<void> {
  const values = await loadQuestionValues(db, claim.id);
  const failure = values.size > 0 ? undefined : await findFirstQuestionError(db, claim.id);
  if (failure !== undefined) return failEvaluation(db, claim, failure, now);
  const metrics = await computeMetrics([...values.values()]);
  await db
    .update(evaluations)
    .set({ status: 'done', metrics, claimedUntil: null, endedAt: now })
    .where(buildClaimCondition(claim));
}

/** Ends an evaluation with an error. Computes the measures of the questions that have ended without an error. */
export async function failEvaluation(db: Queries, claim: Claim, error: StoredError, now: Date): Promise<void> {
  const metrics = await computeMetrics([...(await loadQuestionValues(db, claim.id)).values()]);
  await db
    .update(evaluations)
    .set({ status: 'error', error, metrics, claimedUntil: null, endedAt: now })
    .where(buildClaimCondition(claim));
}

/**
 * Builds the error of an evaluation in which all questions failed. It contains the error of the first question. Returns
 * undefined if no question failed.
 */
async function findFirstQuestionError(db: Queries, evaluationId: string): Promise<StoredError | undefined> {
  const [first] = await db
    .select({ error: evaluationResults.error })
    .from(evaluationResults)
    .where(and(eq(evaluationResults.evaluationId, evaluationId), isNotNull(evaluationResults.error)))
    .orderBy(asc(evaluationResults.position))
    .limit(1);
  if (first?.error === undefined || first.error === null) return undefined;
  const { code, message } = first.error;
  return { code: 'all_questions_failed', message: `All questions failed. Error of the first one: ${code}: ${message}` };
}

/**
 * Cancels an evaluation. Keeps the results of the questions that have ended, and computes their measures.
 *
 * @throws Problem 404 if it does not exist, 409 if it has ended
 */
export async function cancelEvaluation(
  db: Queries,
  { organizationId, id }: Pick<EvaluationRow, 'organizationId' | 'id'>,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const isThis = and(eq(evaluations.organizationId, organizationId), eq(evaluations.id, id));
    // The outcome of a question cannot be stored while the row is locked.
    const [row] = await tx
      .select({ endedAt: evaluations.endedAt })
      .from(evaluations)
      .where(isThis)
      .for('no key update');
    if (row === undefined) throw createNotFoundProblem('evaluation', id);
    if (row.endedAt !== null) throw problem('nothing_to_cancel', `The evaluation ${id} has already ended.`);
    const metrics = await computeMetrics([...(await loadQuestionValues(tx, id)).values()]);
    await tx
      .update(evaluations)
      .set({ status: 'cancelled', metrics, claimedUntil: null, endedAt: now })
      .where(and(isThis, isNull(evaluations.endedAt)));
  });
}
