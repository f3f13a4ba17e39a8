import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  QUESTION_MEASURES,
  type EvaluationMeasure,
  type EvaluationMetrics,
  type QuestionScores,
} from '@quarry/contracts';
import { computeMeanInterval, computePercentileInterval, type Interval } from './bootstrap.js';

/** The scores and the latency of a question whose query did not fail. */
export interface QuestionValues {
  readonly scores: Pick<QuestionScores, keyof QuestionScores>;
  readonly latencyMs: number;
}

/**
 * Computes the measures of an evaluation. Yields to the event loop between two measures, so that requests are not
 * delayed.
 */
export async function computeMetrics(
  questions: readonly QuestionValues[],
): Promise<Pick<EvaluationMetrics, keyof EvaluationMetrics>> {
  const measured: Record<string, EvaluationMeasure | null> = {};
  for (const measure of QUESTION_MEASURES) {
    const values = questions.flatMap(({ scores }) => scores[measure] ?? []);
    measured[measure] = computeMeasure(values, computeMeanInterval);
    await yieldToEventLoop();
  }
  const latencies = questions.map(({ latencyMs }) => latencyMs);
  const latencyP50Ms = computeMeasure(latencies, (values) => computePercentileInterval(values, 0.5));
  await yieldToEventLoop();
  const latencyP95Ms = computeMeasure(latencies, (values) => computePercentileInterval(values, 0.95));
  const { recall = null, ndcg10 = null, mrr = null, answerContains = null } = measured;
  const { citationPrecision = null, abstention = null, answered = null } = measured;
  const quality = { recall, ndcg10, mrr, answerContains, citationPrecision, abstention, answered };
  return { ...quality, latencyP50Ms, latencyP95Ms };
}

function computeMeasure(
  values: readonly number[],
  measure: (values: readonly number[]) => Interval,
): EvaluationMeasure | null {
  return values.length === 0 ? null : { ...measure(values), questions: values.length };
}
