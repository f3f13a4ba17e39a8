import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import {
  evaluationQuestions,
  evaluationResults,
  evaluations,
  type EvaluationResultRow,
  type StoredQuestion,
} from '../database/tables/evaluations.js';
import type { Claim } from './claim-evaluation.js';
import type { QuestionValues } from './compute-metrics.js';
import type { Evaluation } from './evaluation-repository.js';

/** The outcome of a question of an evaluation: its scores or its error. */
export type NewResult = Omit<EvaluationResultRow, 'evaluationId'>;

/**
 * Stores the outcome of a question and increments the counts of the evaluation. If the question already has an outcome,
 * changes nothing.
 *
 * @returns false if the claim is no longer valid: nothing was stored
 */
export async function recordQuestionResult(db: Queries, { id, claim }: Claim, result: NewResult): Promise<boolean> {
  const toJson = (value: unknown) => sql`${value === null ? null : JSON.stringify(value)}::jsonb`;
  const { rows } = await db.execute(sql`
    with claimed as (
      select id from ${evaluations} where id = ${id} and claim = ${claim} and ended_at is null for no key update
    ), recorded as (
      insert into ${evaluationResults} (evaluation_id, position, scores, error, latency_ms, answer, results)
      select claimed.id, ${result.position}::int, ${toJson(result.scores)}, ${toJson(result.error)},
        ${result.latencyMs}::float8, ${result.answer}::text, ${toJson(result.results)}
      from claimed on conflict do nothing returning 1
    )
    update ${evaluations} e set
      ended = e.ended + (select count(*)::int from recorded),
      failed = e.failed + (select count(*)::int from recorded where ${result.error !== null})
    from claimed where e.id = claimed.id returning e.id`);
  return rows.length > 0;
}

/** A question of a dataset with its position in the dataset. */
export interface PendingQuestion {
  readonly position: number;
  readonly question: StoredQuestion;
}

/** Lists the next questions of an evaluation that have no outcome yet, in the order of the dataset. */
export async function listPendingQuestions(
  db: Queries,
  { id, datasetId }: { readonly id: string; readonly datasetId: string },
  limit: number,
): Promise<readonly PendingQuestion[]> {
  const { datasetId: dataset, position, question } = evaluationQuestions;
  return db
    .select({ position, question })
    .from(evaluationQuestions)
    .leftJoin(evaluationResults, and(eq(evaluationResults.evaluationId, id), eq(evaluationResults.position, position)))
    .where(and(eq(dataset, datasetId), isNull(evaluationResults.position)))
    .orderBy(asc(position))
    .limit(limit);
}

/** A question of an evaluation with its outcome. `result` is null until the question has ended. */
export interface QuestionWithResult extends PendingQuestion {
  readonly result: EvaluationResultRow | null;
}

/**
 * Lists the questions of an evaluation in the order of the dataset.
 *
 * @param after the position after which the list starts; 0 for the first page
 */
export async function listQuestionsWithResults(
  db: Queries,
  { id, datasetId }: Evaluation,
  after: number,
  limit: number,
): Promise<readonly QuestionWithResult[]> {
  const { datasetId: dataset, position, question } = evaluationQuestions;
  return db
    .select({ position, question, result: evaluationResults })
    .from(evaluationQuestions)
    .leftJoin(evaluationResults, and(eq(evaluationResults.evaluationId, id), eq(evaluationResults.position, position)))
    .where(and(eq(dataset, datasetId), gt(position, after)))
    .orderBy(asc(position))
    .limit(limit);
}

/**
 * Reads the scores and latencies of an evaluation, keyed by the position of the question. Omits questions that failed.
 */
export async function loadQuestionValues(
  db: Queries,
  evaluationId: string,
): Promise<ReadonlyMap<number, QuestionValues>> {
  const { position, scores, latencyMs } = evaluationResults;
  const rows = await db
    .select({ position, scores, latencyMs })
    .from(evaluationResults)
    .where(eq(evaluationResults.evaluationId, evaluationId))
    .orderBy(asc(position));
  return new Map(
    rows.flatMap((row) =>
      row.scores === null || row.latencyMs === null
        ? []
        : [[row.position, { scores: row.scores, latencyMs: row.latencyMs }] as const],
    ),
  );
}
