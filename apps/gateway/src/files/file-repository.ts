import { and, eq, gt, inArray, or } from 'drizzle-orm';
import { type Caller, canAccessDatastore } from '../access/caller.js';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Queries } from '../database/database.js';
import { type DatasourceRow, datasources } from '../database/tables/datasources.js';
import { type FileRow, files } from '../database/tables/files.js';
import { buildPresentDatastoreCondition } from '../datastores/datastore-repository.js';
import { type IdWindow, buildWindowQuery, buildWindowRows, type WindowRows } from '../paging/id-window.js';

/** Describes the content of a file or text: the columns of its datasource that a download needs. */
export type Original = Pick<DatasourceRow, 'id' | 'type' | 'name' | 'mimeType' | 'blobKey' | 'config'>;

/** Describes a file: either a file that was uploaded without a datastore, or the content of a datasource. */
export interface StoredContent extends Original {
  /** The size of the content in bytes. 0 if the size is not stored. */
  readonly size: number;
  readonly purpose: string;
  readonly createdAt: Date;
  /** When the file expires. Null: it does not expire. */
  readonly expiresAt: Date | null;
  /** The datasource that contains the content. Null: the content is a file that was uploaded without a datastore. */
  readonly datasource: DatasourceRow | null;
}

/** The value of `purpose` (a field of the OpenAI API) for files to search, and for the content of datasources. */
export const SEARCH_PURPOSE = 'assistants';

/** Inserts an uploaded file. @param tx the transaction that confirms the use of the file's blob */
export async function insertFile(tx: Queries, row: FileRow): Promise<void> {
  await tx.insert(files).values(row);
}

/** Returns those uploaded files of a window (see `IdWindow`) that the caller can access and that have not expired. */
export async function listFiles(
  db: Queries,
  caller: Caller,
  { purpose, window, now }: { readonly purpose: string | undefined; readonly window: IdWindow; readonly now: Date },
): Promise<WindowRows<FileRow>> {
  const { where, by } = buildWindowQuery(files.id, window);
  const isOfPurpose = purpose === undefined ? undefined : eq(files.purpose, purpose);
  const rows = await db
    .select()
    .from(files)
    .where(and(buildAccessCondition(caller), gt(files.expiresAt, now), isOfPurpose, where))
    .orderBy(by)
    .limit(window.limit + 1);
  return buildWindowRows(rows, window);
}

/**
 * Finds a file by an id: the uploaded file with this id, otherwise a copy of that file in a datastore, otherwise the
 * content of the datasource with this id.
 *
 * @throws Problem 404 if the caller can access no such file
 */
export async function requireFile(db: Queries, caller: Caller, id: string, now: Date): Promise<StoredContent> {
  const [row] = await db
    .select()
    .from(files)
    .where(and(buildAccessCondition(caller), eq(files.id, id), gt(files.expiresAt, now)));
  if (row !== undefined) return describeUploadedFile(row);
  const [copy] = await listFileCopies(db, caller, id);
  if (copy === undefined) throw createNotFoundProblem('file', id);
  return { ...describeDatasourceContent(copy), id };
}

/**
 * Lists those datasources that the caller can access and that contain a copy of the file with this id, or have this id
 * themselves.
 */
export async function listFileCopies(db: Queries, caller: Caller, id: string): Promise<readonly DatasourceRow[]> {
  const ofFile = or(eq(datasources.id, id), eq(datasources.fileId, id));
  const rows = await db
    .select()
    .from(datasources)
    .where(and(eq(datasources.organizationId, caller.organizationId), ofFile, buildPresentDatastoreCondition()))
    .orderBy(datasources.id);
  return rows.filter(({ datastoreId }) => canAccessDatastore(caller, datastoreId));
}

/**
 * Locks files whose content is copied, until the transaction ends. A concurrent deletion of a file waits for the
 * transaction, and then finds the copies.
 *
 * @throws Problem 404 if one of the files was deleted
 */
export async function lockFiles(tx: Queries, contents: readonly StoredContent[]): Promise<void> {
  const uploadedIds = contents.flatMap(({ id, datasource }) => (datasource === null ? [id] : []));
  const datasourceIds = contents.flatMap(({ datasource }) => datasource?.id ?? []);
  const lockRows = async (table: typeof files | typeof datasources, ids: readonly string[]) =>
    tx
      .select({ id: table.id })
      .from(table)
      .where(inArray(table.id, [...ids]))
      .orderBy(table.id)
      .for('key share');
  const locked = [...(await lockRows(files, uploadedIds)), ...(await lockRows(datasources, datasourceIds))];
  const lockedIds = new Set(locked.map(({ id }) => id));
  const deleted = contents.find(({ id, datasource }) => !lockedIds.has(datasource?.id ?? id));
  if (deleted !== undefined) throw createNotFoundProblem('file', deleted.id);
}

/** Deletes an uploaded file that the caller can access. @returns the deleted row, or undefined if there is none */
export async function deleteFile(tx: Queries, caller: Caller, id: string): Promise<FileRow | undefined> {
  const [row] = await tx
    .delete(files)
    .where(and(buildAccessCondition(caller), eq(files.id, id)))
    .returning();
  return row;
}

/** Converts the row of an uploaded file to the description of the file and its content. */
export function describeUploadedFile(row: FileRow): StoredContent {
  return { ...row, type: 'file', config: { fileSize: row.size }, datasource: null };
}

/** Converts the row of a datasource to the description of its content as a file. */
export function describeDatasourceContent(row: DatasourceRow): StoredContent {
  const { id, type, name, mimeType, blobKey, config, createdAt } = row;
  const original = { id, type, name, mimeType, blobKey, config, createdAt };
  return { ...original, size: getContentSize(row), purpose: SEARCH_PURPOSE, expiresAt: null, datasource: row };
}

/** Returns the size of the content of a datasource in bytes, or 0 if the size is not stored. */
export function getContentSize({ config: { fileSize } }: Pick<DatasourceRow, 'config'>): number {
  return typeof fileSize === 'number' ? fileSize : 0;
}

/**
 * Builds the condition that selects the files that the caller can access: all files of the organization, or for a
 * limited key, the files that were uploaded with this key.
 */
function buildAccessCondition({ organizationId, keyId, limits }: Caller) {
  return and(eq(files.organizationId, organizationId), limits === undefined ? undefined : eq(files.keyId, keyId));
}
