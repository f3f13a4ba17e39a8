import { and, asc, eq, inArray, lte, notExists, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources } from '../database/tables/datasources.js';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';
import type { Gateway } from '../gateway.js';

const BATCH = 100;
/** How many blobs one call removes at most. */
const MOST = 20_000;
/** For this time nobody else removes a blob, and a blob that could not be removed is not tried again. */
const LEASE_MS = 10 * 60_000;

type Stores = Pick<Gateway, 'db' | 'blobs' | 'log'>;

/**
 * Removes what was discarded and is read by no run any more. Gateways that do so at once share the work, and no row is locked
 * while the blob store is waited for. A blob that cannot be removed is logged and tried again later.
 *
 * @returns how many were removed
 */
export async function removeDiscardedBlobs(stores: Stores, now: Date): Promise<number> {
  let removed = 0;
  let leased: readonly string[];
  do {
    leased = await lease(stores.db, lte(discardedBlobs.removeAfter, now), now);
    removed += await removeLeased(stores, leased);
  } while (leased.length === BATCH && removed < MOST);
  return removed;
}

/** Removes those of datasources that have just settled. */
export async function removeDiscardedBlobsOf(
  stores: Stores,
  datasourceIds: readonly string[],
  now: Date,
): Promise<number> {
  if (datasourceIds.length === 0) return 0;
  const ofDatasources = inArray(discardedBlobs.datasourceId, [...datasourceIds]);
  // Most have discarded nothing, and need no transaction to say so.
  if ((await stores.db.$count(discardedBlobs, ofDatasources)) === 0) return 0;
  return removeLeased(stores, await lease(stores.db, ofDatasources, now));
}

async function lease(db: Queries, which: SQL, now: Date): Promise<readonly string[]> {
  const stillRead = db
    .select({ one: sql`1` })
    .from(datasources)
    .where(and(eq(datasources.id, discardedBlobs.datasourceId), inArray(datasources.status, ['pending', 'running'])));
  const some = db
    .select({ key: discardedBlobs.key })
    .from(discardedBlobs)
    .where(and(which, notExists(stillRead)))
    .orderBy(asc(discardedBlobs.removeAfter))
    .limit(BATCH)
    .for('update', { skipLocked: true });
  const leased = await db
    .update(discardedBlobs)
    .set({ removeAfter: new Date(now.getTime() + LEASE_MS) })
    .where(inArray(discardedBlobs.key, some))
    .returning({ key: discardedBlobs.key });
  return leased.map(({ key }) => key);
}

async function removeLeased({ db, blobs, log }: Stores, keys: readonly string[]): Promise<number> {
  const results = await Promise.allSettled(keys.map(async (key) => blobs.remove(key)));
  const removed = keys.filter((_, at) => results[at]?.status === 'fulfilled');
  const [failure] = results.filter((result) => result.status === 'rejected');
  if (failure !== undefined) {
    const fields = { err: failure.reason as unknown, blobs: keys.length - removed.length };
    log.warn(fields, 'discarded blobs cannot be removed: they are tried again later');
  }
  if (removed.length > 0) await db.delete(discardedBlobs).where(inArray(discardedBlobs.key, removed));
  return removed.length;
}
