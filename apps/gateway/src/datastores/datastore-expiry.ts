import { and, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { type DatastoreRow, datastores } from '../database/tables/datastores.js';

const DAY_MS = 86_400_000;

type Expiry = Pick<DatastoreRow, 'expiryDays' | 'expiresAt' | 'expiredAt'>;

/**
 * Builds the values of the expiry columns of a datastore that expires after `days` days without use. The days are
 * counted from `now`. If the datastore had already expired, it becomes searchable again.
 */
export function buildExpiryColumns(days: number, now: Date): Expiry {
  return { expiryDays: days, expiresAt: new Date(now.getTime() + days * DAY_MS), expiredAt: null };
}

/**
 * Returns when a datastore with an expiry was last used, precise to the hour. Undefined: the datastore does not expire,
 * so its use is not recorded.
 */
export function getLastUsedAt({ expiryDays, expiresAt }: Expiry): Date | undefined {
  return expiryDays === null || expiresAt === null ? undefined : new Date(expiresAt.getTime() - expiryDays * DAY_MS);
}

/** Days of 24 hours, as in `DAY_MS`. A day of PostgreSQL has 23 or 25 hours when daylight saving time begins or ends. */
const RENEWED = sql`now() + ${datastores}.expiry_days * interval '24 hours'`;

/** SQL expression that is true if a datastore can expire and its use was last recorded more than an hour ago. */
export const IS_USE_DUE = sql<boolean>`coalesce(${datastores}.expires_at < ${RENEWED} - interval '1 hour', false)`;

/** A datastore that a request uses, with the fields that decide whether this use must be recorded. */
interface UsedDatastore extends Pick<DatastoreRow, 'id' | 'expiredAt'> {
  /** True if the use of the datastore was last recorded more than an hour ago: see `IS_USE_DUE`. */
  readonly isUseDue: boolean;
}

/** Postpones the expiry of used datastores that have not yet expired. Updates a datastore at most once per hour. */
export async function recordDatastoreUse(db: Queries, used: readonly UsedDatastore[]): Promise<void> {
  const ids = used.filter(({ isUseDue, expiredAt }) => isUseDue && expiredAt === null).map(({ id }) => id);
  if (ids.length === 0) return;
  await db
    .update(datastores)
    .set({ expiresAt: RENEWED })
    .where(and(inArray(datastores.id, ids), isNull(datastores.expiredAt), IS_USE_DUE));
}

/** Maximum number of datastores that one statement expires. */
const BATCH_SIZE = 500;

/**
 * Marks unused datastores as expired, at most 500 per call. From then on, searches refuse them.
 *
 * @returns the number of expired datastores
 */
export async function expireDatastores(db: Queries, now: Date): Promise<number> {
  const isDue = and(lte(datastores.expiresAt, now), isNull(datastores.expiredAt));
  const batch = db.select({ id: datastores.id }).from(datastores).where(isDue).limit(BATCH_SIZE);
  // The update repeats the condition, because a concurrent search may postpone the expiry.
  const { rowCount } = await db
    .update(datastores)
    .set({ expiredAt: now })
    .where(and(inArray(datastores.id, batch), isDue));
  return rowCount ?? 0;
}
