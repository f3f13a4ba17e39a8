/** How long something goes on, in minutes, and what each of them adds to a counter, or what a gauge shows. */
type Phase = readonly [minutes: number, value: number];

/** Returns the values of a counter per minute, from 0, in the notation of promtool. */
export function counter(...phases: readonly Phase[]): string {
  let at = 0;
  return phases
    .map(([minutes, step]) => {
      const from = at;
      at += step * minutes;
      return `${from}+${step}x${minutes - 1}`;
    })
    .join(' ');
}

/** Returns the values of a gauge per minute. */
export function gauge(...phases: readonly Phase[]): string {
  return phases.map(([minutes, value]) => `${value}x${minutes - 1}`).join(' ');
}

/** Returns the samples of a metric that is absent. */
export function absent(minutes: number): string {
  return `_x${minutes - 1}`;
}

/**
 * The series of a histogram, by their labels.
 *
 * @param upTo the upper bounds of its buckets, in seconds
 * @param phases how many it measures in a minute, and how long each takes
 */
export function histogram(
  name: string,
  labels: string,
  upTo: readonly number[],
  phases: readonly { readonly minutes: number; readonly seconds: number }[],
): Readonly<Record<string, string>> {
  const below = (bound: number): string =>
    counter(...phases.map(({ minutes, seconds }): Phase => [minutes, seconds <= bound ? A_MINUTE : 0]));
  const bucket = (bound: string): string => `${name}_bucket{${[labels, `le="${bound}"`].filter(Boolean).join(',')}}`;
  return {
    ...Object.fromEntries(upTo.map((bound) => [bucket(String(bound)), below(bound)])),
    [bucket('+Inf')]: below(Infinity),
  };
}

const A_MINUTE = 60;
