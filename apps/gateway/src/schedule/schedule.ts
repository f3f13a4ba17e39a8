import { CronExpressionParser } from 'cron-parser';
import type { CatalogSyncMode, DatasourceType } from '@quarry/contracts';
import { createFieldProblem } from '../checks/field-problem.js';
import type { DatasourceRow } from '../database/tables/datasources.js';

/** Computes the times at which a scheduled event occurs. */
export interface Schedule {
  /**
   * Returns the next time after `now`.
   *
   * @param jitter a number from 0 to 1, by which the maximum delay is multiplied; it makes datasources with the same
   *   schedule start at different times
   */
  computeNextTime(now: Date, jitter: number): Date;
}

export const NEVER = 'never';

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const INTERVAL_SYNTAX = /^every (\d{1,6})\s?([mhd])$/;
const MAX_INTERVAL_MS = 366 * UNIT_MS.d;
/** Maximum delay that jitter adds to an interval schedule, as a share of the interval. */
const JITTER_SHARE = 0.1;
/** Maximum delay that jitter adds to a cron schedule, in milliseconds. */
const JITTER_MS = 60_000;

/**
 * Parses a schedule: `every 15m` (`m`, `h` or `d`), a cron expression of five fields in UTC, or `never`.
 *
 * @param path the path of the request field that contains the schedule, for the error
 * @returns undefined for `never`
 * @throws Problem 400 if the syntax is invalid, the interval is too short or too long, or no time matches the schedule
 */
export function parseSchedule(path: string, text: string): Schedule | undefined {
  if (text === NEVER) return undefined;
  const every = INTERVAL_SYNTAX.exec(text);
  return every === null
    ? createCronSchedule(path, text)
    : createIntervalSchedule(path, text, Number(every[1]) * UNIT_MS[parseIntervalUnit(every[2])]);
}

/** Matches a month or weekday name that standard cron allows. */
const MONTH_OR_WEEKDAY = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)$/i;

/**
 * Refuses a cron expression with the nonstandard extensions `H`, `L`, `W`, `#` and `?`. Already stored schedules with
 * these extensions continue to work.
 *
 * @param path the path of the request field that contains the schedule, for the error
 * @throws Problem 400 for such an extension
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

function parseIntervalUnit(letter: string | undefined): keyof typeof UNIT_MS {
  return letter === 'h' || letter === 'd' ? letter : 'm';
}

function createIntervalSchedule(path: string, text: string, ms: number): Schedule {
  if (ms < UNIT_MS.m || ms > MAX_INTERVAL_MS)
    throw createFieldProblem(path, `must be an interval from every 1m to every 366d, found ${JSON.stringify(text)}`);
  return { computeNextTime: (now, jitter) => new Date(now.getTime() + ms * (1 + JITTER_SHARE * jitter)) };
}

function createCronSchedule(path: string, text: string): Schedule {
  try {
    if (text.trim().split(/\s+/).length !== 5) throw new Error('a cron expression must have five fields');
    const computeNext = (now: Date): Date =>
      CronExpressionParser.parse(text, { currentDate: now, tz: 'UTC' }).next().toDate();
    // This call throws for schedules that never occur, such as February 30.
    computeNext(new Date());
    // The jitter shifts every time of the schedule. So no time is skipped, even if a shifted time is later than the
    // next time without jitter.
    return {
      computeNextTime: (now, jitter) => {
        const shiftMs = JITTER_MS * jitter;
        return new Date(computeNext(new Date(now.getTime() - shiftMs)).getTime() + shiftMs);
      },
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'the text cannot be read';
    const found = JSON.stringify(text.slice(0, 60));
    throw createFieldProblem(
      path,
      `must be an interval such as "every 15m", a cron expression of five fields in UTC, or "never", found ${found}: ${reason}`,
    );
  }
}

/** Holds the schedules of a datasource in the syntax of the API, such as `every 15m`. */
export interface Schedules {
  /** The schedule of the syncs of the datasource. `never`: only requests start syncs. */
  readonly schedule: string;
  /** The schedule of those syncs of a listing that read all its items. `never`: no full syncs are scheduled. */
  readonly fullSync: string;
}

const LISTING_SCHEDULE = 'every 15m';
const LISTING_FULL_SYNC = 'every 1d';

type ScheduledDatasource = Pick<DatasourceRow, 'id' | 'type' | 'config'>;
export type NextSync = Pick<DatasourceRow, 'nextSyncAt' | 'nextFullSyncAt'>;

/** Returns the configured schedules of a datasource, or the defaults of its type. */
export function getSchedules({ type, config }: Pick<ScheduledDatasource, 'type' | 'config'>): Schedules {
  const { schedule: given, full_sync_every: full } = config;
  const isListing = type === 'item_listing';
  const schedule = typeof given === 'string' ? given : isListing ? LISTING_SCHEDULE : NEVER;
  const usualFullSync = isListing && schedule !== NEVER ? LISTING_FULL_SYNC : NEVER;
  return { schedule, fullSync: typeof full === 'string' ? full : usualFullSync };
}

/** Validates the schedules of a datasource. @throws Problem 400 for a schedule that cannot be parsed */
export function validateSchedules(type: DatasourceType, config: ScheduledDatasource['config']): void {
  const { schedule, fullSync } = getSchedules({ type, config });
  validateSchedule('config.schedule', schedule);
  validateSchedule('config.full_sync_every', fullSync);
}

function validateSchedule(path: string, text: string): void {
  parseSchedule(path, text);
  requireStandardCron(path, text);
}

/**
 * Returns the next scheduled times of a datasource.
 *
 * @param fullSyncAt the time of the next full sync, which stays as planned; null: no full sync is planned; undefined:
 *   the time is computed from the schedule and `now`
 */
export function planNextSync(row: ScheduledDatasource, now: Date, fullSyncAt?: Date | null): NextSync {
  const { schedule, fullSync } = getSchedules(row);
  const getNextTime = (path: string, text: string): Date | null => computeNextTime(parseSchedule(path, text), row, now);
  const next = getNextTime('config.schedule', schedule);
  const nextFullSyncAt = fullSyncAt === undefined ? getNextTime('config.full_sync_every', fullSync) : fullSyncAt;
  return { nextSyncAt: findEarliestTime(next, nextFullSyncAt), nextFullSyncAt };
}

/**
 * Returns the next scheduled times of a datasource after a change of its configuration. A time changes only if its
 * schedule has changed, and never to a later time. Otherwise, repeated changes would delay the daily full sync again
 * and again. If the address of a listing has changed, its next sync is a full sync.
 */
export function rescheduleSync(
  row: ScheduledDatasource & NextSync,
  config: ScheduledDatasource['config'],
  now: Date,
): NextSync {
  const [before, after] = [getSchedules(row), getSchedules({ ...row, config })];
  const fresh = planNextSync({ ...row, config }, now);
  const full =
    before.fullSync === after.fullSync ? row.nextFullSyncAt : pickEarlierTime(row.nextFullSyncAt, fresh.nextFullSyncAt);
  const next = before.schedule === after.schedule ? row.nextSyncAt : pickEarlierTime(row.nextSyncAt, fresh.nextSyncAt);
  const nextSyncAt = after.schedule === NEVER ? full : findEarliestTime(next, full);
  const isElsewhere = row.type === 'item_listing' && row.config['url'] !== config['url'];
  return { nextSyncAt, nextFullSyncAt: isElsewhere ? findEarliestTime(nextSyncAt, full) : full };
}

/** Returns the earlier of two times, or null when the new schedule is `never`. */
function pickEarlierTime(plannedTime: Date | null, newTime: Date | null): Date | null {
  return newTime === null ? null : findEarliestTime(plannedTime, newTime);
}

/**
 * Returns true for a listing without a cursor: its address has changed, or no sync of it has succeeded. Only a full sync
 * removes the items of the earlier address.
 */
export function requiresFullSync({ type, listingState }: Pick<DatasourceRow, 'type' | 'listingState'>): boolean {
  return type === 'item_listing' && listingState === null;
}

/**
 * Returns the mode of a sync that is due now, and the times at which the syncs after it are scheduled. `mode` is null
 * unless the datasource is a listing.
 */
export function planDueSync(
  row: ScheduledDatasource & NextSync & Pick<DatasourceRow, 'listingState'>,
  now: Date,
): { readonly mode: CatalogSyncMode | null; readonly next: NextSync } {
  const isFull = requiresFullSync(row) || (row.nextFullSyncAt !== null && row.nextFullSyncAt <= now);
  const mode = isFull ? 'full' : 'incremental';
  return {
    mode: row.type === 'item_listing' ? mode : null,
    next: planNextSync(row, now, isFull ? undefined : row.nextFullSyncAt),
  };
}

function computeNextTime(schedule: Schedule | undefined, { id }: ScheduledDatasource, now: Date): Date | null {
  return schedule?.computeNextTime(now, deriveScheduleJitter(id)) ?? null;
}

/**
 * Derives a number between 0 and 1 from the random digits of a datasource id. The number is constant for a datasource,
 * and makes datasources with the same schedule start at different times.
 */
function deriveScheduleJitter(id: string): number {
  return Number.parseInt(id.slice(-8), 16) / 0x1_00_00_00_00;
}

function findEarliestTime(first: Date | null, second: Date | null): Date | null {
  if (first === null || second === null) return first ?? second;
  return first < second ? first : second;
}
