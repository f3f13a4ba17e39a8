import { and, inArray, isNull } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';

/** After this time, a reserved blob belongs to an upload whose gateway has crashed. */
const MAX_UPLOAD_HOURS = 24;

/** Records blobs before they are written, so that the watchdog removes them if no transaction uses them. */
export async function reserveBlobs(
  db: Queries,
  organizationId: string,
  keys: readonly string[],
  now: Date,
): Promise<void> {
  if (keys.length === 0) return;
  const removeAfter = new Date(now.getTime() + MAX_UPLOAD_HOURS * 3_600_000);
  await db.insert(discardedBlobs).values(keys.map((key) => ({ key, organizationId, removeAfter })));
}

/** Ends the reservations of blobs that a transaction starts to use. @param tx that transaction */
export async function confirmBlobUse(tx: Queries, keys: readonly string[]): Promise<void> {
  await deleteBlobEntries(tx, keys);
}

/**
 * Ends reservations that no transaction has used, so that their blobs can be removed.
 *
 * @returns the keys that were still reserved; the other blobs are in use, whatever the client received
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

/** Deletes the entries of blobs that are removed. */
export async function deleteBlobEntries(db: Queries, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await db.delete(discardedBlobs).where(inArray(discardedBlobs.key, [...keys]));
}

export interface DiscardedBlob {
  readonly key: string;
  /** The datasource whose run may still read the blob. */
  readonly datasourceId: string | null;
}

/** Discards blobs. They are removed once the datasource that used them is settled or deleted. */
export async function discardBlobs(
  tx: Queries,
  organizationId: string,
  discarded: readonly DiscardedBlob[],
  now: Date,
): Promise<void> {
  if (discarded.length === 0) return;
  await tx
    .insert(discardedBlobs)
    .values(discarded.map((blob) => ({ ...blob, organizationId, removeAfter: now })))
    .onConflictDoUpdate({ target: discardedBlobs.key, set: { removeAfter: now } });
}
