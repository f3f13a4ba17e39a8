import type { UsageDaysQuery } from '@quarry/contracts';
import { createFieldProblem } from '../checks/field-problem.js';

const DAY_MS = 86_400_000;
/** Number of days of the range if the request does not contain `from`. */
const DEFAULT_DAYS = 30;
const MAX_DAYS = 400;
/** Number of months, in addition to the current month, whose usage is stored. */
const USAGE_MONTHS = 24;

/** Describes a range of days in UTC, such as `2026-11-24`. The range includes both days. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/**
 * Parses a range of days for which usage is stored.
 *
 * @throws Problem 400 for a day that does not exist, is in the future or whose usage was deleted; 400 for a range that
 *   is empty or too long
 */
export function parseDayRange({ from, to }: UsageDaysQuery, now: Date): DayRange {
  const today = formatDay(now);
  const last = to === undefined ? parseDay('to', today) : parseDay('to', to);
  const first = from === undefined ? addDays(last, 1 - DEFAULT_DAYS) : parseDay('from', from);
  const range = { from: formatDay(first), to: formatDay(last) };
  if (range.to > today) throw createFieldProblem('to', `must be ${today} (today in UTC) or earlier, found ${range.to}`);
  if (range.from > range.to) throw createFieldProblem('from', `must be ${range.to} or earlier, found ${range.from}`);
  if (countDays(first, last) > MAX_DAYS) {
    const longest = `${formatDay(addDays(last, 1 - MAX_DAYS))} or later`;
    throw createFieldProblem('from', `must be ${longest} for a range of at most ${MAX_DAYS} days, found ${range.from}`);
  }
  const oldest = getOldestUsageDay(now);
  if (first < oldest) {
    const [field, required, found] =
      from === undefined
        ? (['to', addDays(oldest, DEFAULT_DAYS - 1), last] as const)
        : (['from', oldest, first] as const);
    const reason = 'because older usage is deleted';
    throw createFieldProblem(field, `must be ${formatDay(required)} or later, ${reason}, found ${formatDay(found)}`);
  }
  return range;
}

function parseDay(field: keyof UsageDaysQuery, day: string): Date {
  const start = new Date(`${day}T00:00:00.000Z`);
  // A nonexistent day is refused here, because `Date` would parse 30 February as 2 March.
  if (!Number.isNaN(start.getTime()) && formatDay(start) === day) return start;
  throw createFieldProblem(field, `must be an existing day, found ${day}`);
}

/** Lists the days of a range in ascending order. */
export function listDays({ from, to }: DayRange): readonly string[] {
  const first = new Date(from);
  return Array.from({ length: countDays(first, new Date(to)) }, (_, index) => formatDay(addDays(first, index)));
}

/** Returns the earliest day whose usage is still stored. */
export function getOldestUsageDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - USAGE_MONTHS, 1));
}

/** Formats the day in UTC to which a time belongs, such as `2026-11-24`. */
export function formatDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** Adds a number of days to a time. Each day has 24 hours, as always in UTC. */
export function addDays(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * DAY_MS);
}

/** Returns the number of days from `first` to `last`, including both. */
function countDays(first: Date, last: Date): number {
  return Math.round((last.getTime() - first.getTime()) / DAY_MS) + 1;
}
