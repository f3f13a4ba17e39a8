import { isDeepStrictEqual } from 'node:util';
import { isBlobNotFound } from '@quarry/blob-store';
import { MEDIA_TYPES } from '@quarry/file-types';
import { and, eq, inArray } from 'drizzle-orm';
import { reserveBlobs } from '../blobs/discarded-blobs.js';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.js';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { type DatasourceRow, datasources } from '../database/tables/datasources.js';
import { chooseJobClass, saveDocuments, type SavedDocument } from '../datasources/save-documents.js';
import { buildLegacyFileKey } from '../datasources/document-identity.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { recordDatastoreUse } from '../datastores/datastore-expiry.js';
import { lockDatastore } from '../datastores/datastore-repository.js';
import { lockFiles, type StoredContent } from '../files/file-repository.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { isDocumentRow } from '../runs/start/build-sync-job.js';
import { type DatasourceWithRun, startRuns } from '../runs/start/start-runs.js';
import { releaseBlobs } from '../uploads/release-blobs.js';
import { createBlobKey } from '../uploads/store-uploaded-file.js';
import type { VectorStoreFile } from './vector-store-files.js';

/** Values that clients attach to a file, and by which searches can filter. */
export type FileAttributes = Readonly<Record<string, string | number | boolean>>;

/** A file to be added to a datastore. `attributes` is null if the file has no attributes. */
export interface AttachedFile {
  readonly file: StoredContent;
  readonly attributes: FileAttributes | null;
}

/**
 * Saves the copies of files as datasources of a datastore, in the given transaction. Replaces the attributes of those
 * files that are datasources of this datastore.
 *
 * @param batchId the id of the batch to which the files belong; undefined: no batch
 */
export type SaveCopies = (
  tx: Queries,
  datastore: DatastoreRow,
  batchId?: string,
) => Promise<readonly VectorStoreFile[]>;

type CopyStores = Pick<Gateway, 'db' | 'blobs' | 'log' | 'clock' | 'changes'>;
const MAX_CONCURRENT_COPIES = 8;

/**
 * Copies the bytes of files, then calls `use` to save the copies as datasources. If the datastore already contains a
 * file, the file is replaced, and indexed again only if its bytes or attributes have changed. A file that is a
 * datasource of this datastore is not copied. If `use` fails or replays an earlier response, the copies are removed.
 *
 * @param attachedFiles the files, all different and of the same organization
 * @param use calls `save` in its own transaction, or replays the response to an earlier request
 * @throws Problem 404 for a file without stored bytes or that was deleted meanwhile, 503 if the blob store is unavailable, and any error of `use`
 */
export async function withCopiedFiles<Result extends { readonly isReplayed?: boolean }>(
  stores: CopyStores,
  { organizationId, datastoreId }: { readonly organizationId: string; readonly datastoreId: string | undefined },
  attachedFiles: readonly AttachedFile[],
  use: (save: SaveCopies) => Promise<Result>,
): Promise<Result> {
  const { db, clock, changes } = stores;
  const contained = attachedFiles.filter((each) => isContainedIn(datastoreId, each));
  const copies = attachedFiles.flatMap((each) => {
    if (contained.includes(each)) return [];
    const id = newId();
    return { ...each, id, blobKey: createBlobKey(organizationId, datastoreId, id) };
  });
  const blobKeys = copies.map(({ blobKey }) => blobKey);
  let savedIds: readonly string[] = [];
  let isKept = false;
  try {
    await reserveBlobs(db, organizationId, blobKeys, clock());
    await forEachConcurrently(MAX_CONCURRENT_COPIES, copies, async (copy) => copyBlob(stores, copy));
    const result = await use(async (tx, datastore, batchId) => {
      if (attachedFiles.length === 0) return [];
      await recordDatastoreUse(tx, [{ ...datastore, isUseDue: datastore.expiryDays !== null }]);
      const saved = [
        ...(await saveCopies(tx, datastore, { files: copies, batchId, now: clock() })),
        ...(await replaceFiles(tx, datastore, { files: contained, batchId, now: clock() })),
      ];
      savedIds = saved.map(({ datasource }) => datasource.id);
      return saved.map(({ datasource }) => ({ datasource, status: 'in_progress' }) as const);
    });
    isKept = result.isReplayed !== true;
    changes.publish(...savedIds.map((id) => ({ kind: 'datasource', id }) as const));
    return result;
  } finally {
    if (!isKept) await releaseBlobs(stores, blobKeys);
  }
}

/** Returns true if a file is a file or text datasource of a datastore. Such a file is not copied into the datastore. */
function isContainedIn(datastoreId: string | undefined, { file: { datasource } }: AttachedFile): boolean {
  return datasource !== null && datasource.datastoreId === datastoreId && isDocumentRow(datasource);
}

/**
 * A file that is copied into a datastore. `id` is the id of the new datasource, if the copy creates one. `blobKey` is
 * the key of the blob with the copied bytes.
 */
interface Copy extends AttachedFile {
  readonly id: string;
  readonly blobKey: string;
}

async function copyBlob({ blobs }: CopyStores, { file, blobKey }: Copy): Promise<void> {
  if (file.blobKey === null) throw createNoContentProblem(file);
  const bytes = await blobs.read(file.blobKey).catch((error: unknown) => {
    throw isBlobNotFound(error) ? createNotFoundProblem('file', file.id) : error;
  });
  await blobs.write(blobKey, bytes);
}

interface AddedFiles<File extends AttachedFile> {
  readonly files: readonly File[];
  /** The id of the batch to which the files belong. Undefined: they belong to no batch. */
  readonly batchId: string | undefined;
  readonly now: Date;
}

/** Saves copies of files as datasources, and starts their runs. @throws Problem 404 if one of the files was deleted */
async function saveCopies(
  tx: Queries,
  datastore: DatastoreRow,
  { files: copies, batchId, now }: AddedFiles<Copy>,
): Promise<readonly DatasourceWithRun[]> {
  if (copies.length === 0) return [];
  const documents = copies.map((copy) => buildSavedDocument(copy, batchId));
  const saved = await saveDocuments(tx, datastore, documents, now);
  await lockFiles(
    tx,
    copies.map(({ file }) => file),
  );
  return saved;
}

/** Replaces the attributes of datasources of a datastore, and starts their runs. @throws Problem 404 if one was deleted */
async function replaceFiles(
  tx: Queries,
  { organizationId, id: datastoreId }: DatastoreRow,
  { files, batchId, now }: AddedFiles<AttachedFile>,
): Promise<readonly DatasourceWithRun[]> {
  if (files.length === 0) return [];
  const datastore = await lockDatastore(tx, organizationId, datastoreId);
  const ids = files.flatMap(({ file: { datasource } }) => datasource?.id ?? []);
  const isListed = and(eq(datasources.datastoreId, datastoreId), inArray(datasources.id, ids));
  // This lock does not conflict with the locks of files that are copied. A stronger lock could deadlock with a
  // transaction that copies these datasources to another datastore, and replaces files of which this one saves copies.
  const locked = await tx.select().from(datasources).where(isListed).orderBy(datasources.id).for('no key update');
  const lockedById = new Map(locked.map((row) => [row.id, row]));
  const rows = files.map(({ file: { id, datasource }, attributes }) => {
    const row = lockedById.get(datasource?.id ?? '');
    if (row === undefined) throw createNotFoundProblem('file', id);
    return { ...row, metadata: replaceAttributes(row.metadata, attributes ?? {}), groupId: batchId ?? null };
  });
  return startRuns(tx, datastore, rows, { now, jobClass: chooseJobClass(rows.length) });
}

/**
 * Builds the document to save for a copy of a file. The id of the file identifies the document in the datastore, so
 * that files of the same name do not replace each other.
 */
function buildSavedDocument({ file, attributes, id, blobKey }: Copy, batchId: string | undefined): SavedDocument {
  const { id: fileId, name, size } = file;
  const mimeType = file.mimeType ?? MEDIA_TYPES.txt;
  return {
    newId: id,
    blobKey,
    type: 'file',
    identity: { kind: 'file', fileId },
    legacyKey: buildLegacyFileKey(fileId, name),
    givenName: name,
    name,
    mimeType,
    customId: null,
    fileId,
    ...(batchId !== undefined && { groupId: batchId }),
    size,
    source: null,
    metadata: attributes,
    config: { fileName: getReadName(file), mimeType, ...(size > 0 && { fileSize: size }) },
  };
}

/** Returns the name by which a document reader recognizes the type of a file. The name of a text shows no type. */
function getReadName({ type, name, config: { fileName } }: StoredContent): string {
  if (typeof fileName === 'string') return fileName;
  return type === 'document' && !name.endsWith('.txt') ? `${name}.txt` : name;
}

/**
 * Replaces the attributes among metadata. Keeps the metadata whose values cannot be attributes: lists, objects and null.
 *
 * @returns the given object if its attributes are equal to the new ones
 */
export function replaceAttributes(
  metadata: DatasourceRow['metadata'],
  attributes: FileAttributes,
): DatasourceRow['metadata'] {
  const structured = Object.entries(metadata ?? {}).filter(([, value]) => typeof value === 'object');
  const replaced = { ...Object.fromEntries(structured), ...attributes };
  return isDeepStrictEqual(replaced, metadata ?? {}) ? metadata : replaced;
}

function createNoContentProblem({ id, type }: StoredContent): Error {
  const message = `The datasource ${id} of the type ${type} has no stored file that a vector store could copy.`;
  return problem('no_original', message);
}
