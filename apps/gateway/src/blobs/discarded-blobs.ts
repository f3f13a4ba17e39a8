import { and, inArray, isNull } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';

/** An upload that takes longer than this is taken for one whose gateway died. */
const UPLOAD_HOURS = 24;

/** Writes down blobs that are about to be written, so that they go should nobody come to use them. */
export async function reserveBlobs(
  db: Queries,
  organizationId: string,
  keys: readonly string[],
  now: Date,
): Promise<void> {
  if (keys.length === 0) return;
  const removeAfter = new Date(now.getTime() + UPLOAD_HOURS * 3_600_000);
  await db.insert(discardedBlobs).values(keys.map((key) => ({ key, organizationId, removeAfter })));
}

/** @param tx the transaction that comes to use the blobs */
export async function keepBlobs(tx: Queries, keys: readonly string[]): Promise<void> {
  await forgetBlobs(tx, keys);
}

/** Ends reservations, so that the blobs may be removed. @returns those that were still reserved: the others are in use, whatever the client received */
export async function takeBackBlobs(db: Queries, keys: readonly string[], now: Date): Promise<readonly string[]> {
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
export async function forgetBlobs(db: Queries, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await db.delete(discardedBlobs).where(inArray(discardedBlobs.key, [...keys]));
}

export interface Discarded {
  readonly key: string;
  /** Whose run may still read it. */
  readonly datasourceId: string | null;
}

/** Gives blobs up. They go once the datasource that used them is settled or gone. */
export async function discardBlobs(
  tx: Queries,
  organizationId: string,
  discarded: readonly Discarded[],
  now: Date,
): Promise<void> {
  if (discarded.length === 0) return;
  await tx
    .insert(discardedBlobs)
    .values(discarded.map((blob) => ({ ...blob, organizationId, removeAfter: now })))
    .onConflictDoUpdate({ target: discardedBlobs.key, set: { removeAfter: now } });
}
