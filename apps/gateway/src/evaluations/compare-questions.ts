import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { QUESTION_MEASURES, type ComparedMeasure, type MeasureComparison, type Verdict } from '@quarry/contracts';
import { computeMeanInterval, computePairedPValue, isSignificant } from './bootstrap.js';
import type { QuestionValues } from './compute-metrics.js';

/** The values of a question that ended without an error in both evaluations. */
export interface QuestionPair {
  readonly position: number;
  readonly one: QuestionValues;
  readonly other: QuestionValues;
}

/** The values of one measure for a question in two evaluations. */
export interface ValuePair {
  readonly position: number;
  readonly value: number;
  readonly other: number;
}

/** Compares two evaluations by each measure that applies to at least one question in both evaluations. */
export async function compareQuestions(pairs: readonly QuestionPair[]): Promise<readonly MeasureComparison[]> {
  const compared: MeasureComparison[] = [];
  for (const measure of [...QUESTION_MEASURES, 'latencyMs'] as const) {
    const values = listValuePairs(pairs, measure);
    if (values.length > 0) compared.push(compareValues(measure, values));
    await yieldToEventLoop();
  }
  return compared;
}

/** Lists the values of a measure, for those questions that have a value of this measure in both evaluations. */
export function listValuePairs(pairs: readonly QuestionPair[], measure: ComparedMeasure): readonly ValuePair[] {
  return pairs.flatMap(({ position, one, other }) => {
    const value = getMeasureValue(one, measure);
    const otherValue = getMeasureValue(other, measure);
    return value === null || otherValue === null ? [] : { position, value, other: otherValue };
  });
}

function getMeasureValue({ scores, latencyMs }: QuestionValues, measure: ComparedMeasure): number | null {
  return measure === 'latencyMs' ? latencyMs : scores[measure];
}

function compareValues(measure: ComparedMeasure, values: readonly ValuePair[]): MeasureComparison {
  const differences = values.map(({ value, other }) => value - other);
  // A lower latency is better.
  const sign = measure === 'latencyMs' ? -1 : 1;
  const better = differences.filter((difference) => sign * difference > 0).length;
  const equal = differences.filter((difference) => difference === 0).length;
  const { value: difference, low, high } = computeMeanInterval(differences);
  const pValue = computePairedPValue(differences);
  return {
    ...{ measure, questions: values.length, better, worse: values.length - better - equal, equal },
    ...{ difference, low, high, pValue, verdict: decideVerdict(sign * difference, pValue) },
  };
}

/** Decides whether an evaluation is significantly better or worse than the other one. @param gain positive if better */
function decideVerdict(gain: number, pValue: number): Verdict {
  if (!isSignificant(pValue)) return 'no_significant_difference';
  return gain > 0 ? 'better' : 'worse';
}
