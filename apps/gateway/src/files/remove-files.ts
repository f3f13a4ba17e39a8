import { Problem } from '@quarry/service-kit';
import { eq, inArray, lte, type SQL } from 'drizzle-orm';
import type { Caller } from '../access/caller.js';
import { markBlobsDiscarded } from '../blobs/discarded-blobs.js';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { files } from '../database/tables/files.js';
import { removeDatasource } from '../datasources/remove-datasource.js';
import type { Gateway } from '../gateway.js';
import { deleteFile, listFileCopies } from './file-repository.js';

type RemovalDependencies = Pick<Gateway, 'db' | 'clock' | 'outboxWritten' | 'changes'>;

/**
 * Deletes an uploaded file, and its copies: those datasources that the caller can access and that contain the file.
 *
 * @throws Problem 404 if there is neither such a file nor such a datasource
 */
export async function removeFile(gateway: RemovalDependencies, caller: Caller, id: string): Promise<void> {
  const row = await gateway.db.transaction(async (tx) => {
    const deleted = await deleteFile(tx, caller, id);
    if (deleted === undefined) return undefined;
    const blob = { key: deleted.blobKey, datasourceId: null };
    await markBlobsDiscarded(tx, caller.organizationId, [blob], gateway.clock());
    return deleted;
  });
  const isCopyRemoved = await removeCopies(gateway, caller, id);
  if (row === undefined && !isCopyRemoved) throw createNotFoundProblem('file', id);
}

/**
 * Removes the copies of a file, until none is left: each removal can wait for a transaction that adds another copy.
 *
 * @returns whether there was a copy
 */
async function removeCopies(gateway: RemovalDependencies, caller: Caller, id: string): Promise<boolean> {
  const copies = await listFileCopies(gateway.db, caller, id);
  if (copies.length === 0) return false;
  for (const copy of copies) await removeCopy(gateway, copy);
  await removeCopies(gateway, caller, id);
  return true;
}

/** Removes a copy of a file, unless a concurrent request has removed it. */
async function removeCopy(
  { db, clock, outboxWritten, changes }: RemovalDependencies,
  { organizationId, datastoreId, id }: DatasourceRow,
): Promise<void> {
  try {
    await removeDatasource(db, organizationId, id, clock());
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return;
    throw error;
  }
  outboxWritten.wake();
  changes.publish({ kind: 'removed', id, datastoreId });
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
