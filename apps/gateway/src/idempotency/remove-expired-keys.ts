import { inArray, lte, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';

const MAX_REMOVED_KEYS = 10_000;

/** Deletes up to 10,000 idempotency keys that have expired, with their stored responses. @returns the number of deleted keys */
export async function removeExpiredKeys(db: Queries, now: Date): Promise<number> {
  const place = sql`${idempotencyKeys}.ctid`;
  const expired = db
    .select({ place })
    .from(idempotencyKeys)
    .where(lte(idempotencyKeys.expiresAt, now))
    .limit(MAX_REMOVED_KEYS)
    .for('update', { skipLocked: true });
  const removed = await db
    .delete(idempotencyKeys)
    .where(inArray(place, expired))
    .returning({ keyHash: idempotencyKeys.keyHash });
  return removed.length;
}
