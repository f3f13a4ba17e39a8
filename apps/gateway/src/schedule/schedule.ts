import { CronExpressionParser } from 'cron-parser';
import { invalidField } from '../checks/invalid-field.js';

/** Describes a repeated point in time. */
export interface Schedule {
  /**
   * Returns the next time after `now`.
   *
   * @param jitter between 0 and 1: the share of the maximum delay, so that datasources with the same schedule start at different
   * times
   */
  after(now: Date, jitter: number): Date;
}

export const NEVER = 'never';

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const EVERY = /^every (\d{1,6})\s?([mhd])$/;
const MOST_MS = 366 * UNIT_MS.d;
/** Maximum delay of an interval, as a share of it. */
const JITTER_SHARE = 0.1;
/** Maximum delay of a cron time, in milliseconds. */
const JITTER_MS = 60_000;

/**
 * Parses `every 15m` (`m`, `h` or `d`), cron of five fields in UTC, or `never`.
 *
 * @param path of the field
 * @returns undefined for never
 * @throws Problem 400
 */
export function readSchedule(path: string, text: string): Schedule | undefined {
  if (text === NEVER) return undefined;
  const every = EVERY.exec(text);
  return every === null
    ? createCronSchedule(path, text)
    : createIntervalSchedule(path, text, Number(every[1]) * UNIT_MS[unitOf(every[2])]);
}

/** Cron of five fields also has month and weekday names. */
const NAMES = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)$/i;

/**
 * Refuses extensions of some cron versions: `H`, which is random, `L`, `W`, `#` and `?`. Stored schedules with them continue to
 * work.
 *
 * @param path of the field
 * @throws Problem 400
 */
export function requireStandardCron(path: string, text: string): void {
  if (text === NEVER || EVERY.test(text)) return;
  const found = text.split(/[\s,/*-]+/).find((part) => part !== '' && !/^\d+$/.test(part) && !NAMES.test(part));
  if (found === undefined) return;
  throw invalidField(
    path,
    `must have numbers, names of months and weekdays, and the signs * , - / only; found ${JSON.stringify(found.slice(0, 20))} in ${JSON.stringify(text.slice(0, 60))}`,
  );
}

function unitOf(letter: string | undefined): keyof typeof UNIT_MS {
  return letter === 'h' || letter === 'd' ? letter : 'm';
}

function createIntervalSchedule(path: string, text: string, ms: number): Schedule {
  if (ms < UNIT_MS.m || ms > MOST_MS)
    throw invalidField(path, `must be every 1m to every 366d, found ${JSON.stringify(text)}`);
  return { after: (now, jitter) => new Date(now.getTime() + ms * (1 + JITTER_SHARE * jitter)) };
}

function createCronSchedule(path: string, text: string): Schedule {
  try {
    if (text.trim().split(/\s+/).length !== 5) throw new Error('it does not have five fields');
    const next = (now: Date): Date => CronExpressionParser.parse(text, { currentDate: now, tz: 'UTC' }).next().toDate();
    // A time that never occurs is refused, too.
    next(new Date());
    return { after: (now, jitter) => new Date(next(now).getTime() + JITTER_MS * jitter) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    const found = JSON.stringify(text.slice(0, 60));
    throw invalidField(
      path,
      `must be such as "every 15m", cron of five fields in UTC, or "never", found ${found}: ${reason}`,
    );
  }
}
