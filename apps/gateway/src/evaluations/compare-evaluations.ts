import type { ComparedMeasure, EvaluationComparison, MeasureComparison } from '@quarry/contracts';
import { and, eq, inArray } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { evaluationQuestions } from '../database/tables/evaluations.js';
import { problem } from '../problems.js';
import { compareQuestions, listValuePairs, type QuestionPair, type ValuePair } from './compare-questions.js';
import type { Evaluation } from './evaluation-repository.js';
import { loadQuestionValues } from './result-repository.js';
import { roundComparisonLatencies } from './round-latencies.js';

/** Maximum number of changed questions in a comparison. */
const MAX_CHANGED = 50;
/** The measures that decide which evaluation is better. The first one that applies decides. */
const DECIDING_MEASURES: readonly ComparedMeasure[] = ['ndcg10', 'answerContains', 'abstention', 'answered'];

/** Compares two evaluations question by question. @throws Problem 409 if one has not ended, or their datasets differ */
export async function compareEvaluations(
  db: Queries,
  one: Evaluation,
  other: Evaluation,
): Promise<EvaluationComparison> {
  requireComparableEvaluations(one, other);
  const pairs = await loadQuestionPairs(db, one, other);
  const measures = await compareQuestions(pairs);
  const deciding = findDecidingComparison(measures, one.agentId !== null && other.agentId !== null);
  const changed = deciding === undefined ? [] : listChangedValues(listValuePairs(pairs, deciding.measure));
  return {
    evaluationId: one.id,
    withEvaluationId: other.id,
    verdict: deciding?.verdict ?? 'no_significant_difference',
    decidedBy: deciding?.measure ?? null,
    measures: measures.map(roundComparisonLatencies),
    changed: await loadChangedQuestions(db, one.datasetId, changed),
  };
}

function requireComparableEvaluations(one: Evaluation, other: Evaluation): void {
  const unfinished = [one, other].find(({ endedAt }) => endedAt === null);
  if (unfinished !== undefined) {
    const { id, status } = unfinished;
    throw problem('evaluations_not_comparable', `The evaluation ${id} must have ended, found the status ${status}.`);
  }
  if (one.datasetId !== other.datasetId) {
    throw problem(
      'evaluations_not_comparable',
      `Both evaluations must have the same dataset, found ${one.datasetId} and ${other.datasetId}.`,
    );
  }
}

async function loadQuestionPairs(db: Queries, one: Evaluation, other: Evaluation): Promise<readonly QuestionPair[]> {
  const [values, otherValues] = [await loadQuestionValues(db, one.id), await loadQuestionValues(db, other.id)];
  return [...values].flatMap(([position, value]) => {
    const paired = otherValues.get(position);
    return paired === undefined ? [] : { position, one: value, other: paired };
  });
}

/**
 * Returns the comparison by the first deciding measure that applies, or undefined. An agent is judged by its answers
 * first.
 */
function findDecidingComparison(
  measures: readonly MeasureComparison[],
  areAgents: boolean,
): MeasureComparison | undefined {
  const names: readonly ComparedMeasure[] = areAgents ? ['answerContains', ...DECIDING_MEASURES] : DECIDING_MEASURES;
  return names.map((name) => measures.find(({ measure }) => measure === name)).find((found) => found !== undefined);
}

/** Lists the questions with different values, largest difference first, at most 50. */
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
  changed: readonly ValuePair[],
): Promise<EvaluationComparison['changed']> {
  if (changed.length === 0) return [];
  const positions = changed.map(({ position }) => position);
  const rows = await db
    .select({ position: evaluationQuestions.position, question: evaluationQuestions.question })
    .from(evaluationQuestions)
    .where(and(eq(evaluationQuestions.datasetId, datasetId), inArray(evaluationQuestions.position, positions)));
  const questions = new Map(rows.map(({ position, question }) => [position, question]));
  return changed.flatMap(({ position, value, other }) => {
    const named = questions.get(position);
    return named === undefined ? [] : { id: named.id, question: named.question, value, other };
  });
}
