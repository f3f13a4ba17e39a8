import { CronExpressionParser } from 'cron-parser';
import { invalid } from '../http/invalid.js';

/** When something is to be done again and again. */
export interface Schedule {
  /**
   * The next time after `now`.
   *
   * @param jitter between 0 and 1: how far, so that what has the same schedule is not done at the same moment
   */
  after(now: Date, jitter: number): Date;
}

export const NEVER = 'never';

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const EVERY = /^every (\d{1,6})\s?([mhd])$/;
const MOST_MS = 366 * UNIT_MS.d;
/** Of what is done every so often, up to this share later. */
const JITTER_SHARE = 0.1;
/** Of what is done by the clock, up to this much later. */
const JITTER_MS = 60_000;

/**
 * Reads `every 15m` (`m`, `h` or `d`), cron of five fields in UTC, or `never`.
 *
 * @param path of the field
 * @returns undefined for never
 * @throws Problem 400
 */
export function readSchedule(path: string, text: string): Schedule | undefined {
  if (text === NEVER) return undefined;
  const every = EVERY.exec(text);
  return every === null ? cron(path, text) : interval(path, text, Number(every[1]) * UNIT_MS[unitOf(every[2])]);
}

/** Month and weekday names, which cron of five fields has beside numbers. */
const NAMES = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)$/i;

/**
 * Refuses what some versions of cron have beside the five standard fields: `H`, which is another time at each reading, `L`, `W`,
 * `#` and `?`. A schedule that is stored keeps working.
 *
 * @param path of the field
 * @throws Problem 400
 */
export function requireStandardCron(path: string, text: string): void {
  if (text === NEVER || EVERY.test(text)) return;
  const found = text.split(/[\s,/*-]+/).find((part) => part !== '' && !/^\d+$/.test(part) && !NAMES.test(part));
  if (found === undefined) return;
  throw invalid(
    path,
    `must have numbers, names of months and weekdays, and the signs * , - / only; found ${JSON.stringify(found.slice(0, 20))} in ${JSON.stringify(text.slice(0, 60))}`,
  );
}

function unitOf(letter: string | undefined): keyof typeof UNIT_MS {
  return letter === 'h' || letter === 'd' ? letter : 'm';
}

function interval(path: string, text: string, ms: number): Schedule {
  if (ms < UNIT_MS.m || ms > MOST_MS)
    throw invalid(path, `must be every 1m to every 366d, found ${JSON.stringify(text)}`);
  return { after: (now, jitter) => new Date(now.getTime() + ms * (1 + JITTER_SHARE * jitter)) };
}

function cron(path: string, text: string): Schedule {
  try {
    if (text.trim().split(/\s+/).length !== 5) throw new Error('it does not have five fields');
    const next = (now: Date): Date => CronExpressionParser.parse(text, { currentDate: now, tz: 'UTC' }).next().toDate();
    // One that never comes is refused as well.
    next(new Date());
    return { after: (now, jitter) => new Date(next(now).getTime() + JITTER_MS * jitter) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    const found = JSON.stringify(text.slice(0, 60));
    throw invalid(
      path,
      `must be such as "every 15m", cron of five fields in UTC, or "never", found ${found}: ${reason}`,
    );
  }
}
