import { CronExpressionParser } from 'cron-parser';
import { createFieldProblem } from '../checks/field-problem.js';

/** Computes the times of a repeated event. */
export interface Schedule {
  /**
   * Returns the next time after `now`.
   *
   * @param jitter between 0 and 1: the share of the maximum delay, so that datasources with the same schedule start at different
   * times
   */
  computeNextTime(now: Date, jitter: number): Date;
}

export const NEVER = 'never';

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const INTERVAL_SYNTAX = /^every (\d{1,6})\s?([mhd])$/;
const MAX_INTERVAL_MS = 366 * UNIT_MS.d;
/** Maximum jitter of an interval schedule, as a share of the interval. */
const JITTER_SHARE = 0.1;
/** Maximum jitter of a cron schedule, in milliseconds. */
const JITTER_MS = 60_000;

/**
 * Parses a schedule: `every 15m` (`m`, `h` or `d`), a cron expression of five fields in UTC, or `never`.
 *
 * @param path the path of the field, for the error
 * @returns undefined for never
 * @throws Problem 400
 */
export function parseSchedule(path: string, text: string): Schedule | undefined {
  if (text === NEVER) return undefined;
  const every = INTERVAL_SYNTAX.exec(text);
  return every === null
    ? createCronSchedule(path, text)
    : createIntervalSchedule(path, text, Number(every[1]) * UNIT_MS[parseUnit(every[2])]);
}

/** Matches the month and weekday names that standard cron allows. */
const MONTH_OR_WEEKDAY = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)$/i;

/**
 * Refuses extensions of standard cron: `H`, `L`, `W`, `#` and `?`. Stored schedules with extensions continue to work.
 *
 * @param path the path of the field, for the error
 * @throws Problem 400
 */
export function requireStandardCron(path: string, text: string): void {
  if (text === NEVER || INTERVAL_SYNTAX.test(text)) return;
  const found = text
    .split(/[\s,/*-]+/)
    .find((part) => part !== '' && !/^\d+$/.test(part) && !MONTH_OR_WEEKDAY.test(part));
  if (found === undefined) return;
  throw createFieldProblem(
    path,
    `must have numbers, names of months and weekdays, and the signs * , - / only; found ${JSON.stringify(found.slice(0, 20))} in ${JSON.stringify(text.slice(0, 60))}`,
  );
}

function parseUnit(letter: string | undefined): keyof typeof UNIT_MS {
  return letter === 'h' || letter === 'd' ? letter : 'm';
}

function createIntervalSchedule(path: string, text: string, ms: number): Schedule {
  if (ms < UNIT_MS.m || ms > MAX_INTERVAL_MS)
    throw createFieldProblem(path, `must be an interval from every 1m to every 366d, found ${JSON.stringify(text)}`);
  return { computeNextTime: (now, jitter) => new Date(now.getTime() + ms * (1 + JITTER_SHARE * jitter)) };
}

function createCronSchedule(path: string, text: string): Schedule {
  try {
    if (text.trim().split(/\s+/).length !== 5) throw new Error('it does not have five fields');
    const computeNext = (now: Date): Date =>
      CronExpressionParser.parse(text, { currentDate: now, tz: 'UTC' }).next().toDate();
    // Computing a time also refuses schedules that never occur, such as February 30.
    computeNext(new Date());
    return { computeNextTime: (now, jitter) => new Date(computeNext(now).getTime() + JITTER_MS * jitter) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    const found = JSON.stringify(text.slice(0, 60));
    throw createFieldProblem(
      path,
      `must be an interval such as "every 15m", a cron expression of five fields in UTC, or "never", found ${found}: ${reason}`,
    );
  }
}
