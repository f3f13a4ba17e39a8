import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Queries } from '../database/database.js';
import { type DatasourceRow, datasources } from '../database/tables/datasources.js';
import type { DatastoreKey } from '../datastores/datastore-repository.js';
import { buildBatchCondition, requireFileBatch } from './file-batches.js';
import { type IdWindow, buildWindowQuery, buildWindowRows, type WindowRows } from '../paging/id-window.js';

export const FILE_STATUSES = ['in_progress', 'completed', 'failed', 'cancelled'] as const;
/** The status of a file in a vector store, which is derived from the status of the datasource of the file. */
export type FileStatus = (typeof FILE_STATUSES)[number];

/** A file of a vector store: its datasource, and its status in the vector store. */
export interface VectorStoreFile {
  readonly datasource: DatasourceRow;
  readonly status: FileStatus;
}

/** The number of files of a vector store or batch by status, and their total size. */
export interface FileCounts {
  readonly numbers: Readonly<Record<FileStatus | 'total', number>>;
  /** The size of all these files together, in bytes. */
  readonly bytes: number;
}

const NO_FILES: FileCounts = {
  numbers: { in_progress: 0, completed: 0, failed: 0, cancelled: 0, total: 0 },
  bytes: 0,
};

const status = sql<FileStatus>`case
  when ${datasources.status} = 'synched' then 'completed'
  when ${datasources.status} = 'error' and ${datasources.errorCode} = 'cancelled' then 'cancelled'
  when ${datasources.status} in ('error', 'usage_limit_reached') then 'failed'
  else 'in_progress' end`;

/**
 * SQL for the id by which the files of a vector store are identified and sorted: the id of the uploaded file, or of the
 * datasource if there is no uploaded file.
 */
const fileId = sql`coalesce(${datasources.fileId}, ${datasources.id})`;

/**
 * Returns the id of the file that a datasource contains: the id of the uploaded file, otherwise the id of the
 * datasource.
 */
export function getFileId({ fileId: uploaded, id }: Pick<DatasourceRow, 'fileId' | 'id'>): string {
  return uploaded ?? id;
}

/** Selects files of a vector store. A file must meet all conditions that are not undefined. */
export interface FileFilter {
  readonly status: FileStatus | undefined;
  /** The id of the batch that has added the file. */
  readonly batchId?: string | undefined;
}

/**
 * Returns those files of a vector store that meet the filter and belong to the requested page (`window`) of the list.
 */
export async function listVectorStoreFiles(
  db: Queries,
  datastore: DatastoreKey,
  filter: FileFilter,
  window: IdWindow,
): Promise<WindowRows<VectorStoreFile>> {
  const { where, by } = buildWindowQuery(fileId, window);
  const isOfStatus = filter.status === undefined ? undefined : eq(status, filter.status);
  const isOfBatch = filter.batchId === undefined ? undefined : buildBatchCondition(datastore, filter.batchId);
  const rows = await db
    .select({ datasource: datasources, status })
    .from(datasources)
    .where(and(buildFilesOfDatastoreCondition(datastore), isOfStatus, isOfBatch, where))
    .orderBy(by)
    .limit(window.limit + 1);
  return buildWindowRows(rows, window);
}

/**
 * Finds a file of a vector store by the id of the uploaded file, or by the id of the datasource.
 *
 * @throws Problem 404 if the vector store contains no such file
 */
export async function requireVectorStoreFile(
  db: Queries,
  datastore: DatastoreKey,
  id: string,
): Promise<VectorStoreFile> {
  const [row] = await db
    .select({ datasource: datasources, status })
    .from(datasources)
    .where(and(buildFilesOfDatastoreCondition(datastore), or(eq(datasources.id, id), eq(datasources.fileId, id))));
  if (row === undefined) throw createNotFoundProblem('file', id);
  return row;
}

/**
 * Counts those files of a batch that the vector store still contains.
 *
 * @throws Problem 404 if the batch does not exist
 */
export async function countBatchFiles(db: Queries, datastore: DatastoreKey, batchId: string): Promise<FileCounts> {
  const counted = await selectFileCounts(
    db,
    and(buildFilesOfDatastoreCondition(datastore), buildBatchCondition(datastore, batchId)),
  );
  if (counted.length === 0) await requireFileBatch(db, datastore, batchId);
  return sumFileCounts(counted);
}

/**
 * Counts the files of the given vector stores of an organization.
 *
 * @returns a function that returns the counts of the vector store with the given id
 */
export async function countVectorStoreFiles(
  db: Queries,
  organizationId: string,
  datastoreIds: readonly string[],
): Promise<(datastoreId: string) => FileCounts> {
  if (datastoreIds.length === 0) return () => NO_FILES;
  const counted = await selectFileCounts(
    db,
    and(eq(datasources.organizationId, organizationId), inArray(datasources.datastoreId, [...datastoreIds])),
  );
  return (datastoreId) => sumFileCounts(counted.filter((row) => row.datastoreId === datastoreId));
}

type CountedFiles = Awaited<ReturnType<typeof selectFileCounts>>[number];

// The return type is inferred from the selected columns.
async function selectFileCounts(db: Queries, condition: SQL | undefined) {
  const size = sql<number>`coalesce(sum((${datasources.config} ->> 'fileSize')::bigint), 0)`.mapWith(Number);
  return db
    .select({ datastoreId: datasources.datastoreId, status, total: sql<number>`count(*)`.mapWith(Number), size })
    .from(datasources)
    .where(condition)
    .groupBy(datasources.datastoreId, status);
}

function sumFileCounts(rows: readonly CountedFiles[]): FileCounts {
  return rows.reduce<FileCounts>(
    ({ numbers, bytes }, row) => ({
      numbers: { ...numbers, [row.status]: row.total, total: numbers.total + row.total },
      bytes: bytes + row.size,
    }),
    NO_FILES,
  );
}

function buildFilesOfDatastoreCondition({ organizationId, id }: DatastoreKey): SQL | undefined {
  return and(eq(datasources.organizationId, organizationId), eq(datasources.datastoreId, id));
}
