import { inArray, lte, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';

const BATCH_SIZE = 10_000;
const MAX_BATCHES = 20;

/**
 * Deletes expired idempotency keys with their stored responses, in at most 20 batches.
 *
 * @returns the number of deleted keys
 */
export async function removeExpiredKeys(db: Queries, now: Date): Promise<number> {
  let removed = 0;
  for (let step = 0; step < MAX_BATCHES; step += 1) {
    const removedInBatch = await removeExpiredKeyBatch(db, now);
    removed += removedInBatch;
    if (removedInBatch < BATCH_SIZE) break;
  }
  return removed;
}

/** Deletes at most 10,000 expired idempotency keys. @returns the number of deleted keys */
async function removeExpiredKeyBatch(db: Queries, now: Date): Promise<number> {
  const place = sql`${idempotencyKeys}.ctid`;
  const expired = db
    .select({ place })
    .from(idempotencyKeys)
    .where(lte(idempotencyKeys.expiresAt, now))
    .limit(BATCH_SIZE)
    .for('update', { skipLocked: true });
  const removed = await db
    .delete(idempotencyKeys)
    .where(inArray(place, expired))
    .returning({ keyHash: idempotencyKeys.keyHash });
  return removed.length;
}
