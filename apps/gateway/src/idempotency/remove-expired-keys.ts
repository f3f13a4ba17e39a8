import { inArray, lte, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';

const BATCH = 10_000;
const MAX_BATCHES = 20;

/** Removes responses that have expired, a bounded number at a time. @returns the number of removed responses */
export async function removeExpiredKeys(db: Queries, now: Date): Promise<number> {
  let removed = 0;
  for (let step = 0; step < MAX_BATCHES; step += 1) {
    const removedInBatch = await removeBatch(db, now);
    removed += removedInBatch;
    if (removedInBatch < BATCH) break;
  }
  return removed;
}

async function removeBatch(db: Queries, now: Date): Promise<number> {
  const place = sql`${idempotencyKeys}.ctid`;
  const expired = db
    .select({ place })
    .from(idempotencyKeys)
    .where(lte(idempotencyKeys.expiresAt, now))
    .limit(BATCH)
    .for('update', { skipLocked: true });
  const removed = await db
    .delete(idempotencyKeys)
    .where(inArray(place, expired))
    .returning({ keyHash: idempotencyKeys.keyHash });
  return removed.length;
}
