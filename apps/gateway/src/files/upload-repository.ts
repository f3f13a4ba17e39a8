import { and, count, eq, inArray, lte, type SQL, sum } from 'drizzle-orm';
import type { Caller } from '../access/caller.js';
import { markBlobsDiscarded } from '../blobs/discarded-blobs.js';
import { createFieldProblem } from '../checks/field-problem.js';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Queries } from '../database/database.js';
import { type UploadPartRow, uploadParts, type UploadRow, uploads } from '../database/tables/uploads.js';

/** Inserts an upload that has no parts yet. */
export async function insertUpload(tx: Queries, row: UploadRow): Promise<void> {
  await tx.insert(uploads).values(row);
}

/** Inserts a part of an upload. @param tx the transaction that confirms the use of the part's blob */
export async function insertUploadPart(tx: Queries, row: UploadPartRow): Promise<void> {
  await tx.insert(uploadParts).values(row);
}

/**
 * Returns a pending upload that the caller can access.
 *
 * @throws Problem 404 for an unknown or expired upload; 400 for an upload that has ended
 */
export async function requireUpload(db: Queries, caller: Caller, id: string, now: Date): Promise<UploadRow> {
  const [row] = await db.select().from(uploads).where(buildAccessCondition(caller, id));
  return requirePendingUpload(row, id, now);
}

/** Locks a pending upload until the transaction ends, and returns it. @throws the same problems as `requireUpload` */
export async function lockPendingUpload(tx: Queries, caller: Caller, id: string, now: Date): Promise<UploadRow> {
  const [row] = await tx.select().from(uploads).where(buildAccessCondition(caller, id)).for('update');
  return requirePendingUpload(row, id, now);
}

function requirePendingUpload(row: UploadRow | undefined, id: string, now: Date): UploadRow {
  if (row === undefined || row.expiresAt <= now) throw createNotFoundProblem('upload', id);
  if (row.status === 'pending') return row;
  throw createFieldProblem('upload_id', `must be the id of a pending upload, found one that is ${row.status}`);
}

/** Returns the number of parts of an upload, and their total size in bytes. */
export async function measureUploadParts(
  db: Queries,
  uploadId: string,
): Promise<{ readonly parts: number; readonly bytes: number }> {
  const columns = { parts: count(), bytes: sum(uploadParts.size).mapWith(Number) };
  const [found] = await db.select(columns).from(uploadParts).where(eq(uploadParts.uploadId, uploadId));
  // Without parts, the sum is null.
  return { parts: found?.parts ?? 0, bytes: found?.bytes ?? 0 };
}

async function listUploadParts(db: Queries, uploadId: string): Promise<readonly UploadPartRow[]> {
  return db.select().from(uploadParts).where(eq(uploadParts.uploadId, uploadId));
}

/**
 * Returns the parts of an upload in the order of `ids`.
 *
 * @throws Problem 400 for an id that is unknown or repeated, or if the sizes of the parts do not add up to the size of
 *   the upload
 */
export async function requireUploadParts(
  db: Queries,
  { id: uploadId, size: expected }: UploadRow,
  ids: readonly string[],
): Promise<readonly UploadPartRow[]> {
  const remaining = new Map((await listUploadParts(db, uploadId)).map((row) => [row.id, row]));
  const parts = ids.map((id, index) => {
    const row = remaining.get(id);
    if (row === undefined) {
      const found = JSON.stringify(id);
      throw createFieldProblem(
        `part_ids.${index}`,
        `must be the id of a part of the upload, listed once, found ${found}`,
      );
    }
    remaining.delete(id);
    return row;
  });
  const found = parts.reduce((total, { size }) => total + size, 0);
  if (found === expected) return parts;
  throw createFieldProblem(
    'part_ids',
    `must add up to ${expected} bytes, the declared size of the upload; found ${found} bytes`,
  );
}

/** Sets the final status of an upload, and removes its parts. @param tx a transaction that has locked the upload */
export async function endUpload(
  tx: Queries,
  { id, organizationId }: UploadRow,
  status: 'completed' | 'cancelled',
  now: Date,
): Promise<void> {
  await tx.update(uploads).set({ status }).where(eq(uploads.id, id));
  const parts = await tx.delete(uploadParts).where(eq(uploadParts.uploadId, id)).returning();
  const blobs = parts.map(({ blobKey }) => ({ key: blobKey, datasourceId: null }));
  await markBlobsDiscarded(tx, organizationId, blobs, now);
}

/** Maximum number of uploads that are deleted in one transaction. */
const BATCH_SIZE = 100;

/** Deletes uploads that have expired, at most 100 per call, with their parts. @returns the number of deleted uploads */
export async function removeExpiredUploads(db: Queries, now: Date): Promise<number> {
  return removeUploadsWhere(db, lte(uploads.expiresAt, now), now);
}

/**
 * Deletes uploads of an organization, at most 100 per call, with their parts.
 *
 * @returns the number of deleted uploads
 */
export async function removeUploadsOfOrganization(db: Queries, organizationId: string, now: Date): Promise<number> {
  return removeUploadsWhere(db, eq(uploads.organizationId, organizationId), now);
}

/** Deletes at most 100 uploads that meet a condition, with their parts. @returns the number of deleted uploads */
async function removeUploadsWhere(db: Queries, condition: SQL, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const batch = await tx.select().from(uploads).where(condition).limit(BATCH_SIZE).for('update');
    for (const upload of batch) await endUpload(tx, upload, 'cancelled', now);
    const ids = batch.map(({ id }) => id);
    if (ids.length > 0) await tx.delete(uploads).where(inArray(uploads.id, ids));
    return ids.length;
  });
}

function buildAccessCondition({ organizationId, keyId, limits }: Caller, id: string): SQL | undefined {
  const isOwn = limits === undefined ? undefined : eq(uploads.keyId, keyId);
  return and(eq(uploads.organizationId, organizationId), eq(uploads.id, id), isOwn);
}
