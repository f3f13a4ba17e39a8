/** The ranges of days that the usage screen offers, each with its number of days. */
const DAYS = { week: 7, month: 30, quarter: 90, year: 365 } as const;

export type RangeName = keyof typeof DAYS;

export const RANGES: readonly RangeName[] = ['week', 'month', 'quarter', 'year'];

/** Parses the name of a range of days from the address. Returns `month` for an absent or unknown name. */
export function parseRangeName(name: string | undefined): RangeName {
  return RANGES.find((range) => range === name) ?? 'month';
}

const DAY_MS = 86_400_000;

/** Computes the first and the last day of a range that ends today, in UTC. */
export function computeDayRange(range: RangeName, now: Date): { readonly from: string; readonly to: string } {
  return { from: formatDay(new Date(now.getTime() - (DAYS[range] - 1) * DAY_MS)), to: formatDay(now) };
}

function formatDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/**
 * Returns the indexes of the days that get a label on the x axis of a chart, at equal distances, such as every seventh
 * day. The last day always gets a label.
 */
export function selectLabeledDays(days: number, maxLabels: number): readonly number[] {
  const step = Math.max(1, Math.ceil(days / Math.max(1, maxLabels)));
  const labels: number[] = [];
  for (let day = days - 1; day >= 0; day -= step) labels.unshift(day);
  return labels;
}
