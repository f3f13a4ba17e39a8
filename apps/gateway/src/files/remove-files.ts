import { eq, inArray, lte, type SQL } from 'drizzle-orm';
import type { Caller } from '../access/caller.js';
import { markBlobsDiscarded } from '../blobs/discarded-blobs.js';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Queries } from '../database/database.js';
import { files } from '../database/tables/files.js';
import { removeDatasource } from '../datasources/remove-datasource.js';
import type { Gateway } from '../gateway.js';
import { deleteFile, listFileCopies } from './file-repository.js';

/**
 * Deletes an uploaded file, and its copies: those datasources that the caller can access and that contain the file.
 *
 * @throws Problem 404 if there is neither such a file nor such a datasource
 */
export async function removeFile(
  { db, clock, outboxWritten, changes }: Pick<Gateway, 'db' | 'clock' | 'outboxWritten' | 'changes'>,
  caller: Caller,
  id: string,
): Promise<void> {
  const { organizationId } = caller;
  const now = clock();
  const copies = await listFileCopies(db, caller, id);
  const row = await db.transaction(async (tx) => {
    const deleted = await deleteFile(tx, caller, id);
    if (deleted !== undefined)
      await markBlobsDiscarded(tx, organizationId, [{ key: deleted.blobKey, datasourceId: null }], now);
    return deleted;
  });
  if (row === undefined && copies.length === 0) throw createNotFoundProblem('file', id);
  for (const copy of copies) {
    await removeDatasource(db, organizationId, copy.id, now);
    outboxWritten.wake();
    changes.publish({ kind: 'removed', id: copy.id, datastoreId: copy.datastoreId });
  }
}

/** Maximum number of files that are deleted in one transaction. */
const BATCH_SIZE = 500;

/**
 * Deletes files that have expired, at most 500 per call. Copies of the files in datastores stay.
 *
 * @returns the number of deleted files
 */
export async function removeExpiredFiles(db: Queries, now: Date): Promise<number> {
  return removeFilesWhere(db, lte(files.expiresAt, now), now);
}

/** Deletes uploaded files of an organization, at most 500 per call. @returns the number of deleted files */
export async function removeFilesOfOrganization(db: Queries, organizationId: string, now: Date): Promise<number> {
  return removeFilesWhere(db, eq(files.organizationId, organizationId), now);
}

/** Deletes at most 500 uploaded files that meet a condition. @returns the number of deleted files */
async function removeFilesWhere(db: Queries, condition: SQL, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const batch = tx.select({ id: files.id }).from(files).where(condition).limit(BATCH_SIZE);
    const deleted = await tx.delete(files).where(inArray(files.id, batch)).returning();
    for (const [organizationId, rows] of Map.groupBy(deleted, (row) => row.organizationId)) {
      const blobs = rows.map(({ blobKey }) => ({ key: blobKey, datasourceId: null }));
      await markBlobsDiscarded(tx, organizationId, blobs, now);
    }
    return deleted.length;
  });
}
