/** A phase of a metric: its duration in minutes, and the value of a gauge or the increase per minute of a counter. */
type Phase = readonly [minutes: number, value: number];

/** Formats the values of a counter, one per minute, starting at 0, in the notation of promtool. */
export function formatCounterValues(...phases: readonly Phase[]): string {
  let at = 0;
  return phases
    .map(([minutes, step]) => {
      const from = at;
      at += step * minutes;
      return `${from}+${step}x${minutes - 1}`;
    })
    .join(' ');
}

/** Formats the values of a gauge, one per minute, in the notation of promtool. */
export function formatGaugeValues(...phases: readonly Phase[]): string {
  return phases.map(([minutes, value]) => `${value}x${minutes - 1}`).join(' ');
}

/** Formats minutes in which a metric has no value, in the notation of promtool. */
export function formatAbsentValues(minutes: number): string {
  return `_x${minutes - 1}`;
}

/**
 * Returns the values of the bucket series of a histogram with 60 measurements per minute, keyed by series name with
 * labels.
 *
 * @param bounds the upper bounds of the buckets, in seconds
 * @param phases the duration of each phase in minutes, and the value of every measurement in the phase in seconds
 */
export function createHistogramSeries(
  name: string,
  labels: string,
  bounds: readonly number[],
  phases: readonly { readonly minutes: number; readonly seconds: number }[],
): Readonly<Record<string, string>> {
  const countBelow = (bound: number): string =>
    formatCounterValues(...phases.map(({ minutes, seconds }): Phase => [minutes, seconds <= bound ? A_MINUTE : 0]));
  const createBucketSeries = (bound: string): string =>
    `${name}_bucket{${[labels, `le="${bound}"`].filter(Boolean).join(',')}}`;
  return {
    ...Object.fromEntries(bounds.map((bound) => [createBucketSeries(String(bound)), countBelow(bound)])),
    [createBucketSeries('+Inf')]: countBelow(Infinity),
  };
}

const A_MINUTE = 60;
