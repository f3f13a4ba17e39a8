import type { CatalogSyncMode, DatasourceType } from '@quarry/contracts';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { NEVER, parseSchedule, requireStandardCron, type Schedule } from './schedule.js';

/** Holds the schedules of a datasource in the syntax of the API, such as `every 15m`. */
export interface Schedules {
  /** The schedule of syncs. `never` means that only requests start them. */
  readonly schedule: string;
  /** The schedule of full syncs of a listing. */
  readonly fullSync: string;
}

const LISTING_SCHEDULE = 'every 15m';
const LISTING_FULL_SYNC = 'every 1d';

type Scheduled = Pick<DatasourceRow, 'id' | 'type' | 'config'>;
export type NextSync = Pick<DatasourceRow, 'nextSyncAt' | 'nextFullSyncAt'>;

/** Returns the configured schedules of a datasource, or the defaults of its type. */
export function getSchedules({ type, config }: Pick<Scheduled, 'type' | 'config'>): Schedules {
  const { schedule: given, full_sync_every: full } = config;
  const isListing = type === 'item_listing';
  const schedule = typeof given === 'string' ? given : isListing ? LISTING_SCHEDULE : NEVER;
  const usualFullSync = isListing && schedule !== NEVER ? LISTING_FULL_SYNC : NEVER;
  return { schedule, fullSync: typeof full === 'string' ? full : usualFullSync };
}

/** Validates the schedules of a datasource. @throws Problem 400 for a schedule that cannot be parsed */
export function validateSchedules(type: DatasourceType, config: Scheduled['config']): void {
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
 * @param fullSyncAt the next full sync, where it is not recalculated; undefined: calculated from `now`
 */
export function planNextSync(row: Scheduled, now: Date, fullSyncAt?: Date | null): NextSync {
  const { schedule, fullSync } = getSchedules(row);
  const getNextTime = (path: string, text: string): Date | null => computeNextTime(parseSchedule(path, text), row, now);
  const next = getNextTime('config.schedule', schedule);
  const nextFullSyncAt = fullSyncAt === undefined ? getNextTime('config.full_sync_every', fullSync) : fullSyncAt;
  return { nextSyncAt: findEarliestTime(next, nextFullSyncAt), nextFullSyncAt };
}

/**
 * Returns the next scheduled times of a datasource after a change of its configuration. A time changes only when its schedule has
 * changed, and never to a later time: otherwise repeated changes would delay the daily full sync, which finds removed items. A
 * listing at another address is read in full at its next sync.
 */
export function rescheduleSync(row: Scheduled & NextSync, config: Scheduled['config'], now: Date): NextSync {
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
function pickEarlierTime(planned: Date | null, fresh: Date | null): Date | null {
  return fresh === null ? null : findEarliestTime(planned, fresh);
}

/** Returns the mode of a sync that is due now, and the scheduled times after it. */
export function planDueSync(
  row: Scheduled & NextSync,
  now: Date,
): { readonly mode: CatalogSyncMode | null; readonly next: NextSync } {
  const isFull = row.nextFullSyncAt !== null && row.nextFullSyncAt <= now;
  const mode = isFull ? 'full' : 'incremental';
  return {
    mode: row.type === 'item_listing' ? mode : null,
    next: planNextSync(row, now, isFull ? undefined : row.nextFullSyncAt),
  };
}

function computeNextTime(schedule: Schedule | undefined, { id }: Scheduled, now: Date): Date | null {
  return schedule?.computeNextTime(now, deriveJitter(id)) ?? null;
}

/**
 * Derives a constant number from 0 to 1 from the random digits of a datasource id, so that datasources with the same schedule start
 * at different times.
 */
function deriveJitter(id: string): number {
  return Number.parseInt(id.slice(-8), 16) / 0x1_00_00_00_00;
}

function findEarliestTime(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
