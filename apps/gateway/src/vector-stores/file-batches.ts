import { and, eq, lt, or, sql, type SQL } from 'drizzle-orm';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Queries } from '../database/database.js';
import { getLowestIdAtTime } from '../database/id.js';
import { datasources } from '../database/tables/datasources.js';
import { fileBatches } from '../database/tables/file-batches.js';
import type { DatastoreKey } from '../datastores/datastore-repository.js';

/**
 * Time in milliseconds for which the list of the files of a batch is stored. After this time, a batch exists only while
 * the vector store contains one of its files that no later request has added again.
 */
const STORED_MS = 30 * 24 * 3_600_000;

/**
 * Stores which files a new batch has added, and deletes the batches of the vector store that are older than 30 days.
 */
export async function storeFileBatch(
  tx: Queries,
  { organizationId, id: datastoreId }: DatastoreKey,
  batch: { readonly id: string; readonly datasourceIds: readonly string[] },
  now: Date,
): Promise<void> {
  const isOld = lt(fileBatches.id, getLowestIdAtTime(now.getTime() - STORED_MS));
  await tx.delete(fileBatches).where(and(buildBatchesOfDatastoreCondition({ organizationId, id: datastoreId }), isOld));
  await tx
    .insert(fileBatches)
    .values({ id: batch.id, organizationId, datastoreId, datasourceIds: [...batch.datasourceIds] });
}

/**
 * Throws unless the list of the files of a batch is stored. Does not check whether the vector store still contains any
 * of these files.
 *
 * @throws Problem 404 if the list is not stored
 */
export async function requireFileBatch(db: Queries, datastore: DatastoreKey, batchId: string): Promise<void> {
  const { id } = fileBatches;
  const [stored] = await db
    .select({ id })
    .from(fileBatches)
    .where(and(buildBatchesOfDatastoreCondition(datastore), eq(id, batchId)));
  if (stored === undefined) throw createNotFoundProblem('file batch', batchId);
}

/**
 * Builds the condition that selects the datasources that a batch has added, including those that a later request has
 * added again.
 */
export function buildBatchCondition(
  { organizationId, id: datastoreId }: DatastoreKey,
  batchId: string,
): SQL | undefined {
  const stored = sql`${datasources.id} in (
    select unnest(${fileBatches.datasourceIds}) from ${fileBatches}
    where ${fileBatches.id} = ${batchId} and ${fileBatches.organizationId} = ${organizationId}
      and ${fileBatches.datastoreId} = ${datastoreId})`;
  return or(eq(datasources.groupId, batchId), stored);
}

function buildBatchesOfDatastoreCondition({ organizationId, id }: DatastoreKey): SQL | undefined {
  return and(eq(fileBatches.organizationId, organizationId), eq(fileBatches.datastoreId, id));
}
