import type { Evaluation, EvaluationComparison } from '@quarry/client';
import type { Formats } from '../../language/formats.js';

type Metrics = NonNullable<Evaluation['metrics']>;
export type MetricName = keyof Metrics;
export type MeasureName = EvaluationComparison['measures'][number]['measure'];
/** A measure with its 95 % confidence interval. */
export type Measure = NonNullable<Metrics[MetricName]>;

/** The names of the measures of an evaluation, in the order in which they are shown. */
export const METRICS = [
  'answerContains',
  'ndcg10',
  'recall',
  'mrr',
  'citationPrecision',
  'abstention',
  'answered',
  'latencyP50Ms',
  'latencyP95Ms',
] as const satisfies readonly MetricName[];

/** Returns true for a measure that is a duration. Other measures are shares from 0 to 1. */
export function isDurationMeasure(name: MetricName | MeasureName): boolean {
  return name.startsWith('latency');
}

/** Formats a value of a measure: a duration with its unit, a share with two decimals. */
export function formatMeasure(name: MetricName | MeasureName, value: number, formats: Formats): string {
  return isDurationMeasure(name) ? formats.duration(value) : formats.score(value);
}

/** Returns the measures that have a value in an evaluation. */
export function listMeasures(metrics: Metrics): readonly { readonly name: MetricName; readonly measure: Measure }[] {
  return METRICS.flatMap((name) => {
    const measure = metrics[name];
    return measure === null ? [] : [{ name, measure }];
  });
}

/** The position of a value and its confidence interval on a scale, in percent of the length of the scale. */
export interface DrawnInterval {
  readonly low: number;
  readonly width: number;
  readonly value: number;
}

/**
 * Computes the position of a value and its confidence interval on a scale that starts at 0.
 *
 * @param scaleEnd the value at the end of the scale: 1 for shares, the greatest shown duration for durations
 */
export function computeIntervalPosition({ value, low, high }: Measure, scaleEnd: number): DrawnInterval {
  const toPercent = (amount: number): number => Math.min(100, Math.max(0, (amount / scaleEnd) * 100));
  return { low: toPercent(low), width: toPercent(high) - toPercent(low), value: toPercent(value) };
}
