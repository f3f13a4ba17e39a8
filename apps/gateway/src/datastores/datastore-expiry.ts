import { and, inArray, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { type DatastoreRow, datastores } from '../database/tables/datastores.js';

const DAY_MS = 86_400_000;

type Expiry = Pick<DatastoreRow, 'expiryDays' | 'expiresAt' | 'expiredAt'>;

/** Builds the columns of a datastore that expires after `days` without use. An expired datastore can be searched again. */
export function startExpiry(days: number, now: Date): Expiry {
  return { expiryDays: days, expiresAt: new Date(now.getTime() + days * DAY_MS), expiredAt: null };
}

/** Returns when a datastore with an expiry was last used. Undefined: it does not expire, so that its use is not recorded. */
export function getLastUse({ expiryDays, expiresAt }: Expiry): Date | undefined {
  return expiryDays === null || expiresAt === null ? undefined : new Date(expiresAt.getTime() - expiryDays * DAY_MS);
}

/** Postpones the expiry of datastores that are used, unless they are expired. Writes a row once per hour at most. */
export async function recordUse(db: Queries, used: readonly (Expiry & Pick<DatastoreRow, 'id'>)[]): Promise<void> {
  const ids = used.filter(({ expiryDays, expiredAt }) => expiryDays !== null && expiredAt === null).map(({ id }) => id);
  if (ids.length === 0) return;
  const renewed = sql`now() + ${datastores.expiryDays} * interval '1 day'`;
  const isUnrecorded = lt(datastores.expiresAt, sql`${renewed} - interval '1 hour'`);
  await db
    .update(datastores)
    .set({ expiresAt: renewed })
    .where(and(inArray(datastores.id, ids), isNull(datastores.expiredAt), isUnrecorded));
}

/** Maximum number of datastores that expire together. */
const BATCH_SIZE = 500;

/** Expires unused datastores, at most 500 per call. Searches refuse them from then on. @returns the number of expired datastores */
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
