import type { UsageDay } from '@quarry/client';

/** The CSS custom property of the theme that contains the color of a series. */
export type SeriesColor = '--accent' | '--info';

/** The daily values of one measure. A value is null if it was not recorded. */
export interface DaySeries {
  readonly name: string;
  readonly color: SeriesColor;
  readonly values: readonly (number | null)[];
}

/** The content of a chart: its kind, its days and its series. Bars are stacked, with the first series at the bottom. */
export interface DayChartData {
  readonly kind: 'bars' | 'line';
  readonly days: readonly string[];
  readonly series: readonly DaySeries[];
}

/**
 * Adds to the values of each series the values of all series before it, for stacked bars. Returns the last series
 * first, because the shorter bars of the others are drawn over its bars.
 */
export function stackSeries(series: readonly DaySeries[]): readonly DaySeries[] {
  return series
    .map((top, at) => ({
      ...top,
      values: top.values.map((_value, day) =>
        series.slice(0, at + 1).reduce((total, { values }) => total + (values[day] ?? 0), 0),
      ),
    }))
    .toReversed();
}

/** Returns true if none of the days has queries or stored content. Unrecorded content counts as none. */
export function isWithoutUsage(days: readonly UsageDay[]): boolean {
  return days.every(
    ({ agentQueries, datastoreQueries, storedTokens, storedDocuments }) =>
      agentQueries + datastoreQueries + (storedTokens ?? 0) + (storedDocuments ?? 0) === 0,
  );
}

/** Returns the indexes of the days that have a value although neither the day before nor the day after has one. */
export function findIsolatedDays({ values }: Pick<DaySeries, 'values'>): readonly number[] {
  const hasValue = (day: number): boolean => (values[day] ?? null) !== null;
  return [...values.keys()].filter((day) => hasValue(day) && !hasValue(day - 1) && !hasValue(day + 1));
}

/** Returns the value of the last day that has one; null if no day has a value. */
export function getLastValue({ values }: Pick<DaySeries, 'values'>): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

/** Sums all values of a series. */
export function sumValues({ values }: Pick<DaySeries, 'values'>): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
