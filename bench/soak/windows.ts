import { computeMemoryGrowth } from '../ingest/ingest-and-sample-memory.js';

/** The means of one resource in each window of samples. */
export interface Row<Resource> {
  readonly resource: Resource;
  readonly windows: readonly number[];
  readonly most: number;
  readonly last: number;
  /** Mean of the last quarter of the samples, divided by the mean of the second quarter. */
  readonly growth: number;
}

/** Returns the mean of each window of samples. The last window may have fewer samples. */
export function computeWindowMeans(samples: readonly number[], samplesPerWindow: number): readonly number[] {
  return Array.from({ length: Math.ceil(samples.length / samplesPerWindow) }, (_, at) => {
    const window = samples.slice(at * samplesPerWindow, (at + 1) * samplesPerWindow);
    return window.reduce((sum, value) => sum + value, 0) / window.length;
  });
}

/** Computes one row for each resource from its samples. */
export function createResourceRows<Resource extends string>(
  samples: readonly Readonly<Record<Resource, number>>[],
  samplesPerWindow: number,
): readonly Row<Resource>[] {
  const resources = Object.keys(samples[0] ?? {}) as Resource[]; // Object.keys widens them to string
  return resources.map((resource) => {
    const series = samples.map((sample) => sample[resource]);
    return {
      resource,
      windows: computeWindowMeans(series, samplesPerWindow),
      most: Math.max(...series),
      last: series.at(-1) ?? NaN,
      growth: computeMemoryGrowth(series),
    };
  });
}

/**
 * Formats the lines of a Markdown table with one column per window. The heading of a column is the minute at which the
 * window ends.
 */
export function formatResourceRows(rows: readonly Row<string>[], windowMinutes: number): readonly string[] {
  const ends = (rows[0]?.windows ?? []).map((_, at) => `${(at + 1) * windowMinutes}`);
  const headings = ['resource', ...ends, 'most', 'last', 'growth'];
  return [
    headings,
    headings.map(() => '---'),
    ...rows.map(({ resource, windows, most, last, growth }) => [
      resource,
      ...[...windows, most, last].map((value) => value.toFixed(0)),
      growth.toFixed(2),
    ]),
  ].map((cells) => `| ${cells.join(' | ')} |`);
}
