import type { EvaluationMeasure, EvaluationMetrics, MeasureComparison } from '@quarry/contracts';

/** Latencies are rounded to tenths of a millisecond, because further digits are not reproducible. */
const TENTHS = 10;

/** Rounds a latency in milliseconds to 0.1 ms. */
export function roundLatency<Latency extends number | null>(ms: Latency): Latency | number {
  return ms === null ? ms : Math.round(ms * TENTHS) / TENTHS;
}

type Metrics = Pick<EvaluationMetrics, keyof EvaluationMetrics>;

/** Rounds the latencies in the measures of an evaluation to 0.1 ms. */
export function roundMetricLatencies(metrics: Metrics): Metrics {
  const { latencyP50Ms, latencyP95Ms } = metrics;
  return {
    ...metrics,
    latencyP50Ms: roundLatencyMeasure(latencyP50Ms),
    latencyP95Ms: roundLatencyMeasure(latencyP95Ms),
  };
}

type Comparison = Pick<MeasureComparison, keyof MeasureComparison>;

/** Rounds the differences in a comparison of latencies. Returns comparisons of other measures unchanged. */
export function roundComparisonLatencies(comparison: Comparison): Comparison {
  if (comparison.measure !== 'latencyMs') return comparison;
  const { difference, low, high } = comparison;
  const rounded = { difference: roundLatency(difference), low: roundLatency(low), high: roundLatency(high) };
  return { ...comparison, ...rounded };
}

function roundLatencyMeasure(measure: EvaluationMeasure | null): EvaluationMeasure | null {
  if (measure === null) return null;
  const { value, low, high, questions } = measure;
  return { value: roundLatency(value), low: roundLatency(low), high: roundLatency(high), questions };
}
