import type { ComparedMeasure, EvaluationComparison, MeasureComparison } from '@quarry/contracts';
import { and, eq, inArray } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { evaluationQuestions } from '../database/tables/evaluations.js';
import { problem } from '../problems.js';
import { compareQuestions, listValuePairs, type QuestionPair, type ValuePair } from './compare-questions.js';
import type { Evaluation } from './evaluation-repository.js';
import { loadQuestionValues } from './result-repository.js';
import { roundComparisonLatencies } from './round-latencies.js';

/** Maximum number of questions with different values that a comparison lists. */
const MAX_CHANGED = 50;
/**
 * The measures that can decide which of two evaluations is better, in order of precedence. The first measure that both
 * evaluations have decides.
 */
const DECIDING_MEASURES: readonly ComparedMeasure[] = ['ndcg10', 'answerContains', 'abstention', 'answered'];

/**
 * Compares two evaluations question by question.
 *
 * @throws Problem 409 if an evaluation has not ended, or if the datasets differ
 */
export async function compareEvaluations(
  db: Queries,
  evaluation: Evaluation,
  otherEvaluation: Evaluation,
): Promise<EvaluationComparison> {
  requireComparableEvaluations(evaluation, otherEvaluation);
  const pairs = await loadQuestionPairs(db, evaluation, otherEvaluation);
  const measures = await compareQuestions(pairs);
  const deciding = findDecidingComparison(measures, evaluation.agentId !== null && otherEvaluation.agentId !== null);
  const changed = deciding === undefined ? [] : listChangedValues(listValuePairs(pairs, deciding.measure));
  return {
    evaluationId: evaluation.id,
    withEvaluationId: otherEvaluation.id,
    verdict: deciding?.verdict ?? 'no_significant_difference',
    decidedBy: deciding?.measure ?? null,
    measures: measures.map(roundComparisonLatencies),
    changed: await loadChangedQuestions(db, evaluation.datasetId, changed),
  };
}

function requireComparableEvaluations(evaluation: Evaluation, otherEvaluation: Evaluation): void {
  const unfinished = [evaluation, otherEvaluation].find(({ endedAt }) => endedAt === null);
  if (unfinished !== undefined) {
    const { id, status } = unfinished;
    throw problem('evaluations_not_comparable', `The evaluation ${id} must have ended, found the status ${status}.`);
  }
  if (evaluation.datasetId !== otherEvaluation.datasetId) {
    throw problem(
      'evaluations_not_comparable',
      `Both evaluations must have the same dataset, found ${evaluation.datasetId} and ${otherEvaluation.datasetId}.`,
    );
  }
}

async function loadQuestionPairs(
  db: Queries,
  evaluation: Evaluation,
  otherEvaluation: Evaluation,
): Promise<readonly QuestionPair[]> {
  const [values, otherValues] = [
    await loadQuestionValues(db, evaluation.id),
    await loadQuestionValues(db, otherEvaluation.id),
  ];
  return [...values].flatMap(([position, value]) => {
    const paired = otherValues.get(position);
    return paired === undefined ? [] : { position, one: value, other: paired };
  });
}

/**
 * Returns the comparison by the first deciding measure that both evaluations have, or undefined if there is none. For
 * agents, the first deciding measure is `answerContains`.
 */
function findDecidingComparison(
  measures: readonly MeasureComparison[],
  areAgents: boolean,
): MeasureComparison | undefined {
  const names: readonly ComparedMeasure[] = areAgents ? ['answerContains', ...DECIDING_MEASURES] : DECIDING_MEASURES;
  return names.map((name) => measures.find(({ measure }) => measure === name)).find((found) => found !== undefined);
}

/** Lists the pairs of values that differ, largest difference first, at most 50. */
function listChangedValues(values: readonly ValuePair[]): readonly ValuePair[] {
  const getDifference = ({ value, other }: ValuePair): number => Math.abs(value - other);
  return values
    .filter((pair) => getDifference(pair) > 0)
    .toSorted((left, right) => getDifference(right) - getDifference(left) || left.position - right.position)
    .slice(0, MAX_CHANGED);
}

async function loadChangedQuestions(
  db: Queries,
  datasetId: string,
  changedValues: readonly ValuePair[],
): Promise<EvaluationComparison['changed']> {
  if (changedValues.length === 0) return [];
  const positions = changedValues.map(({ position }) => position);
  const rows = await db
    .select({ position: evaluationQuestions.position, question: evaluationQuestions.question })
    .from(evaluationQuestions)
    .where(and(eq(evaluationQuestions.datasetId, datasetId), inArray(evaluationQuestions.position, positions)));
  const questions = new Map(rows.map(({ position, question }) => [position, question]));
  return changedValues.flatMap(({ position, value, other }) => {
    const named = questions.get(position);
    return named === undefined ? [] : { id: named.id, question: named.question, value, other };
  });
}
