import type { CatalogSyncMode, DatasourceType } from '@quarry/contracts';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { NEVER, readSchedule, requireStandardCron, type Schedule } from './schedule.js';

/** By which a datasource is synced, as the API shows it. */
export interface Schedules {
  /** `never`: by hand alone. */
  readonly schedule: string;
  /** When a listing is read in full. */
  readonly fullSync: string;
}

const LISTING_SCHEDULE = 'every 15m';
const LISTING_FULL_SYNC = 'every 1d';

type Scheduled = Pick<DatasourceRow, 'id' | 'type' | 'config'>;
export type NextSync = Pick<DatasourceRow, 'nextSyncAt' | 'nextFullSyncAt'>;

/** What a datasource is set to, or what its type has by default. */
export function schedulesOf({ type, config }: Pick<Scheduled, 'type' | 'config'>): Schedules {
  const { schedule: given, full_sync_every: full } = config;
  const isListing = type === 'item_listing';
  const schedule = typeof given === 'string' ? given : isListing ? LISTING_SCHEDULE : NEVER;
  const usualFullSync = isListing && schedule !== NEVER ? LISTING_FULL_SYNC : NEVER;
  return { schedule, fullSync: typeof full === 'string' ? full : usualFullSync };
}

/** @throws Problem 400 for a schedule that cannot be read */
export function requireSchedules(type: DatasourceType, config: Scheduled['config']): void {
  const { schedule, fullSync } = schedulesOf({ type, config });
  requireSchedule('config.schedule', schedule);
  requireSchedule('config.full_sync_every', fullSync);
}

function requireSchedule(path: string, text: string): void {
  readSchedule(path, text);
  requireStandardCron(path, text);
}

/**
 * When a datasource is to be synced by itself, seen from now.
 *
 * @param fullSyncAt when it is to be read in full, where that stays; undefined: that is seen from now, too
 */
export function nextSync(row: Scheduled, now: Date, fullSyncAt?: Date | null): NextSync {
  const { schedule, fullSync } = schedulesOf(row);
  const at = (path: string, text: string): Date | null => timeOf(readSchedule(path, text), row, now);
  const next = at('config.schedule', schedule);
  const nextFullSyncAt = fullSyncAt === undefined ? at('config.full_sync_every', fullSync) : fullSyncAt;
  return { nextSyncAt: earlier(next, nextFullSyncAt), nextFullSyncAt };
}

/**
 * Returns when a datasource whose configuration was changed is to be synced. A time moves only if what decides it has changed, and
 * never further away: otherwise each change would put off the daily reading that finds what was removed. A listing at another
 * address is read in full the next time.
 */
export function reschedule(row: Scheduled & NextSync, config: Scheduled['config'], now: Date): NextSync {
  const [before, after] = [schedulesOf(row), schedulesOf({ ...row, config })];
  const fresh = nextSync({ ...row, config }, now);
  const full =
    before.fullSync === after.fullSync ? row.nextFullSyncAt : sooner(row.nextFullSyncAt, fresh.nextFullSyncAt);
  const next = before.schedule === after.schedule ? row.nextSyncAt : sooner(row.nextSyncAt, fresh.nextSyncAt);
  const nextSyncAt = after.schedule === NEVER ? full : earlier(next, full);
  const isElsewhere = row.type === 'item_listing' && row.config['url'] !== config['url'];
  return { nextSyncAt, nextFullSyncAt: isElsewhere ? earlier(nextSyncAt, full) : full };
}

/** Null where there is to be none. */
function sooner(planned: Date | null, fresh: Date | null): Date | null {
  return fresh === null ? null : earlier(planned, fresh);
}

/** How a sync that is due is to be done, and when the next one is. */
export function takeTurn(
  row: Scheduled & NextSync,
  now: Date,
): { readonly mode: CatalogSyncMode | null; readonly next: NextSync } {
  const isFull = row.nextFullSyncAt !== null && row.nextFullSyncAt <= now;
  const mode = isFull ? 'full' : 'incremental';
  return {
    mode: row.type === 'item_listing' ? mode : null,
    next: nextSync(row, now, isFull ? undefined : row.nextFullSyncAt),
  };
}

function timeOf(schedule: Schedule | undefined, { id }: Scheduled, now: Date): Date | null {
  return schedule?.after(now, jitterOf(id)) ?? null;
}

/** An id ends in random digits: each datasource has its own place, the same each time. */
function jitterOf(id: string): number {
  return Number.parseInt(id.slice(-8), 16) / 0x1_00_00_00_00;
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
