import type { BlobStore } from '@quarry/blob-store';
import { and, eq, inArray, lte, notExists, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources } from '../database/tables/datasources.js';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';

const BATCH = 100;

interface Stores {
  readonly db: Queries;
  readonly blobs: BlobStore;
}

/** Removes what was discarded and is read by no run any more. Gateways that do so at once share the work. */
export async function removeDiscardedBlobs(stores: Stores, now: Date): Promise<number> {
  return removeWhere(stores, lte(discardedBlobs.removeAfter, now));
}

/** The same for datasources that have just settled. */
export async function removeDiscardedBlobsOf(stores: Stores, datasourceIds: readonly string[]): Promise<number> {
  if (datasourceIds.length === 0) return 0;
  const ofDatasources = inArray(discardedBlobs.datasourceId, [...datasourceIds]);
  // Most have discarded nothing, and need no transaction to say so.
  return (await stores.db.$count(discardedBlobs, ofDatasources)) === 0 ? 0 : removeWhere(stores, ofDatasources);
}

async function removeWhere({ db, blobs }: Stores, which: SQL): Promise<number> {
  return db.transaction(async (tx) => {
    const stillRead = tx
      .select({ one: sql`1` })
      .from(datasources)
      .where(and(eq(datasources.id, discardedBlobs.datasourceId), inArray(datasources.status, ['pending', 'running'])));
    const found = await tx
      .select({ key: discardedBlobs.key })
      .from(discardedBlobs)
      .where(and(which, notExists(stillRead)))
      .limit(BATCH)
      .for('update', { skipLocked: true });
    if (found.length === 0) return 0;
    const keys = found.map(({ key }) => key);
    await Promise.all(keys.map(async (key) => blobs.remove(key)));
    await tx.delete(discardedBlobs).where(inArray(discardedBlobs.key, keys));
    return keys.length;
  });
}
