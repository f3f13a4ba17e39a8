import { and, asc, eq, inArray, isNull, lte, not, notExists, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { type DatastoreRow, datastores } from '../database/tables/datastores.js';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';
import { datasources } from '../database/tables/datasources.js';
import type { Gateway } from '../gateway.js';
import { ARE_REMOVALS_HELD } from '../removals/removal-hold.js';

/**
 * Maximum duration of an upload. A blob that is still reserved after this time is removed, because the gateway that
 * reserved it has crashed.
 */
const MAX_UPLOAD_HOURS = 24;

/**
 * Reserves the keys of blobs before the blobs are written. The watchdog removes blobs whose use no transaction confirms
 * within 24 hours.
 */
export async function reserveBlobs(
  db: Queries,
  organizationId: string,
  keys: readonly string[],
  now: Date,
): Promise<void> {
  if (keys.length === 0) return;
  const removeAfter = getUploadDeadline(now);
  await db.insert(discardedBlobs).values(keys.map((key) => ({ key, organizationId, removeAfter })));
}

/**
 * Finds a datastore of an organization, and reserves the key of a new blob for the datastore in the same statement.
 *
 * @returns undefined if there is no such datastore; the key is then not reserved
 */
export async function findDatastoreAndReserveBlob(
  db: Queries,
  { organizationId, id }: Pick<DatastoreRow, 'organizationId' | 'id'>,
  key: string,
  now: Date,
): Promise<DatastoreRow | undefined> {
  const isThis = and(
    eq(datastores.organizationId, organizationId),
    eq(datastores.id, id),
    isNull(datastores.removedAt),
  );
  const datastore = db.$with('datastore').as(db.select().from(datastores).where(isThis));
  const reserved = db.$with('reserved', {}).as(sql`
    insert into ${discardedBlobs} (key, organization_id, remove_after)
    select ${key}, organization_id, ${getUploadDeadline(now).toISOString()}::timestamptz from ${datastore}`);
  const [row] = await db.with(datastore, reserved).select().from(datastore);
  return row;
}

/** Returns the time after which the blob of an unfinished upload is removed. */
function getUploadDeadline(now: Date): Date {
  return new Date(now.getTime() + MAX_UPLOAD_HOURS * 3_600_000);
}

/**
 * Deletes the reservations of blobs, so that the watchdog does not remove the blobs.
 *
 * @param tx the transaction that stores references to the blobs
 */
export async function confirmBlobUse(tx: Queries, keys: readonly string[]): Promise<void> {
  await deleteBlobRows(tx, keys);
}

/**
 * Marks blobs of a failed upload for removal, except blobs whose use a transaction has confirmed.
 *
 * @returns the keys of the marked blobs; the other blobs are in use, even if the client received an error
 */
export async function cancelBlobReservations(
  db: Queries,
  keys: readonly string[],
  now: Date,
): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const reserved = and(inArray(discardedBlobs.key, [...keys]), isNull(discardedBlobs.datasourceId));
  const rows = await db
    .update(discardedBlobs)
    .set({ removeAfter: now })
    .where(reserved)
    .returning({ key: discardedBlobs.key });
  return rows.map(({ key }) => key);
}

/**
 * Deletes the rows with these keys from `discarded_blobs`, the table of reserved and discarded blobs. Does not access
 * the blob store.
 */
export async function deleteBlobRows(db: Queries, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await db.delete(discardedBlobs).where(inArray(discardedBlobs.key, [...keys]));
}

/** Identifies a blob that its datasource no longer uses. */
export interface DiscardedBlob {
  readonly key: string;
  /** The id of the datasource whose run may still read the blob. Null: no run reads it. */
  readonly datasourceId: string | null;
}

/**
 * Marks blobs for removal. The watchdog removes them once the datasource that used them has no run in progress or is
 * deleted.
 */
export async function markBlobsDiscarded(
  tx: Queries,
  organizationId: string,
  blobsToDiscard: readonly DiscardedBlob[],
  now: Date,
): Promise<void> {
  if (blobsToDiscard.length === 0) return;
  await tx
    .insert(discardedBlobs)
    .values(blobsToDiscard.map((blob) => ({ ...blob, organizationId, removeAfter: now })))
    .onConflictDoUpdate({ target: discardedBlobs.key, set: { removeAfter: now } });
}

/** Number of blobs that are leased and removed together. */
const BATCH_SIZE = 100;
/** Maximum number of blobs that one call removes. */
const MAX_REMOVED = 20_000;
/**
 * Time for which one gateway has the exclusive right to remove a blob, in milliseconds. If the removal fails, it is
 * retried afterwards.
 */
const LEASE_MS = 10 * 60_000;

type Stores = Pick<Gateway, 'db' | 'blobs' | 'log'>;

/**
 * Removes discarded blobs that no run in progress reads. Gateways that call this at the same time remove different
 * blobs. The database rows are not locked while the blob store deletes. A failed removal is logged and retried later.
 *
 * @returns the number of removed blobs
 */
export async function removeDiscardedBlobs(stores: Stores, now: Date): Promise<number> {
  let removed = 0;
  let leased: readonly string[];
  do {
    leased = await leaseDiscardedBlobs(stores.db, lte(discardedBlobs.removeAfter, now), now);
    removed += await removeLeasedBlobs(stores, leased);
  } while (leased.length === BATCH_SIZE && removed < MAX_REMOVED);
  return removed;
}

/** Removes the discarded blobs of datasources whose runs have just ended. @returns the number of removed blobs */
export async function removeDiscardedBlobsOfDatasources(
  stores: Stores,
  datasourceIds: readonly string[],
  now: Date,
): Promise<number> {
  if (datasourceIds.length === 0) return 0;
  const ofDatasources = inArray(discardedBlobs.datasourceId, [...datasourceIds]);
  // Most datasources have no discarded blob, and counting costs less than the update that leases the blobs.
  if ((await stores.db.$count(discardedBlobs, ofDatasources)) === 0) return 0;
  return removeLeasedBlobs(stores, await leaseDiscardedBlobs(stores.db, ofDatasources, now));
}

/**
 * Leases a batch of discarded blobs that meet a condition and that no run in progress reads. Leases none during a
 * backup.
 *
 * @returns the keys of the leased blobs
 */
async function leaseDiscardedBlobs(db: Queries, condition: SQL, now: Date): Promise<readonly string[]> {
  const stillRead = db
    .select({ one: sql`1` })
    .from(datasources)
    .where(and(eq(datasources.id, discardedBlobs.datasourceId), inArray(datasources.status, ['pending', 'running'])));
  const batch = db
    .select({ key: discardedBlobs.key })
    .from(discardedBlobs)
    .where(and(condition, notExists(stillRead), not(ARE_REMOVALS_HELD)))
    .orderBy(asc(discardedBlobs.removeAfter))
    .limit(BATCH_SIZE)
    .for('update', { skipLocked: true });
  const leased = await db
    .update(discardedBlobs)
    .set({ removeAfter: new Date(now.getTime() + LEASE_MS) })
    .where(inArray(discardedBlobs.key, batch))
    .returning({ key: discardedBlobs.key });
  return leased.map(({ key }) => key);
}

/**
 * Removes leased blobs from the blob store, then deletes the rows of the removed blobs.
 *
 * @returns the number of removed blobs
 */
async function removeLeasedBlobs({ db, blobs, log }: Stores, keys: readonly string[]): Promise<number> {
  const results = await Promise.allSettled(keys.map(async (key) => blobs.remove(key)));
  const removed = keys.filter((_, at) => results[at]?.status === 'fulfilled');
  const [failure] = results.filter((result) => result.status === 'rejected');
  if (failure !== undefined) {
    const fields = { err: failure.reason as unknown, blobs: keys.length - removed.length };
    log.warn(fields, 'failed to remove discarded blobs from the blob store: the removal is retried later');
  }
  if (removed.length > 0) await db.delete(discardedBlobs).where(inArray(discardedBlobs.key, removed));
  return removed.length;
}
