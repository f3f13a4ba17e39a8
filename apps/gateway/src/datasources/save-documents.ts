import { INITIAL_STATE } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { lockDatastore, type DatastoreKey } from '../datastores/datastore-repository.js';
import { markBlobsDiscarded, confirmBlobUse } from '../blobs/discarded-blobs.js';
import type { JobClass } from '../outbox/outbox.js';
import type { DocumentRow } from '../runs/start/build-sync-job.js';
import { buildPendingRunState, startPendingRuns, startRuns, type DatasourceWithRun } from '../runs/start/start-runs.js';
import { setLegacyIdentities, computeIdentityKey, type LegacyCandidate } from './document-identity.js';

/** Describes a document to save, whose content is already in the blob store. */
export interface SavedDocument extends LegacyCandidate {
  readonly blobKey: string;
  readonly mimeType: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly config: Readonly<Record<string, unknown>>;
  /** Size of the content in bytes. */
  readonly size: number;
  /** The id of the datasource, if the document creates a new one. */
  readonly newId: string;
  /** The id of the uploaded file of which the document is a copy. Absent: it is not a copy. */
  readonly fileId?: string;
  /** The id of the batch of files to which the document belongs. Absent: it belongs to no batch. */
  readonly groupId?: string;
}

/**
 * Maximum number of documents in an interactive request. Its jobs get the class `interactive`, because a person may
 * wait for them. Requests with more documents are imports.
 */
const MAX_INTERACTIVE_DOCUMENTS = 10;

/** Returns the class of the jobs of a request with the given number of documents. */
export function chooseJobClass(documents: number): JobClass {
  return documents <= MAX_INTERACTIVE_DOCUMENTS ? 'interactive' : 'sync';
}

/**
 * Saves each document as a datasource and starts its run. A document replaces the content of the datasource with the
 * same identity. The previous blob of that datasource is marked for removal.
 *
 * @param tx the transaction in which everything is saved
 * @param documents must have different identities
 * @returns the datasources in the order of `documents`
 * @throws Problem 404 for an unknown datastore
 */
export async function saveDocuments(
  tx: Queries,
  { organizationId, id }: DatastoreKey,
  documents: readonly SavedDocument[],
  now: Date,
): Promise<readonly DatasourceWithRun[]> {
  const datastore = await lockDatastore(tx, organizationId, id);
  await setLegacyIdentities(tx, datastore.id, documents);
  const newRows = documents.map((document) => buildDatasourceRow(datastore, document, now));
  const found = await insertOrLockDatasources(tx, newRows, now);
  const replaced = documents.map((document) =>
    replaceContent(found.get(computeIdentityKey(document.identity)), document),
  );
  await confirmBlobUse(
    tx,
    documents.map((document) => document.blobKey),
  );
  await markBlobsDiscarded(tx, organizationId, listReplacedBlobs([...found.values()], documents), now);
  const newRowById = new Map(newRows.map((row) => [row.id, row]));
  const pending = replaced.flatMap((row) => {
    const newRow = newRowById.get(row.id);
    return newRow === undefined ? [] : { ...row, runId: newRow.runId };
  });
  const existing = replaced.filter(({ id }) => !newRowById.has(id));
  const bytes = new Map(replaced.map(({ id }, index) => [id, documents[index]?.size ?? 0]));
  const start = { now, jobClass: chooseJobClass(documents.length), bytes };
  const started = [
    ...(await startPendingRuns(tx, datastore, pending, start)),
    ...(await startRuns(tx, datastore, existing, start)),
  ];
  const startedById = new Map(started.map((one) => [one.datasource.id, one]));
  return replaced.flatMap(({ id }) => startedById.get(id) ?? []);
}

/**
 * Inserts new datasources, and locks existing datasources with the same identities. Processes rows in the order of
 * their identities, so that concurrent calls cannot deadlock.
 *
 * @returns the inserted and the locked rows, keyed by identity
 */
async function insertOrLockDatasources(
  tx: Queries,
  newRows: readonly NewRow[],
  now: Date,
): Promise<ReadonlyMap<string | null, DatasourceRow>> {
  const ordered = newRows.toSorted((a, b) => (a.identity < b.identity ? -1 : 1));
  const rows = await tx
    .insert(datasources)
    .values(ordered)
    .onConflictDoUpdate({ target: [datasources.datastoreId, datasources.identity], set: { updatedAt: now } })
    .returning();
  return new Map(rows.map((row) => [row.identity, row]));
}

/** The values that are inserted for a new datasource with a pending run. All other columns get their defaults. */
type NewRow = ReturnType<typeof buildPendingRunState> &
  ReturnType<typeof pickContentColumns> &
  Pick<DatasourceRow, 'id' | 'organizationId' | 'datastoreId' | 'createdAt' | 'updatedAt'> & {
    readonly documentKey: string;
    readonly identity: string;
  };

/**
 * Builds the row of a new datasource with a pending run. The document key is the id of the datasource, because this id
 * never changes and callers cannot choose it.
 */
export function buildDatasourceRow(datastore: DatastoreRow, document: SavedDocument, now: Date): NewRow {
  const { organizationId, id: datastoreId } = datastore;
  const { newId: id, identity } = document;
  const keys = { id, documentKey: id, identity: computeIdentityKey(identity), organizationId, datastoreId };
  return {
    ...pickContentColumns(document),
    ...buildPendingRunState(INITIAL_STATE),
    ...keys,
    createdAt: now,
    updatedAt: now,
  };
}

/** Returns the row of a stored datasource with the content of a new document. Keeps the document key of the row. */
function replaceContent(row: DatasourceRow | undefined, document: SavedDocument): DocumentRow {
  if (row?.documentKey == null)
    throw new Error(`expected a datasource with a document key for the document ${document.name}, found none`);
  return { ...row, ...pickContentColumns(document), documentKey: row.documentKey };
}

function pickContentColumns({ fileId, groupId, ...document }: SavedDocument) {
  const { type, name, blobKey, mimeType, customId, source, metadata, config } = document;
  const origin = { fileId: fileId ?? null, groupId: groupId ?? null };
  return { type, name, blobKey, mimeType, customId, source, metadata, config, ...origin };
}

/** Lists the blobs of the stored datasources that the new documents replace. Omits blobs that a new document uses. */
function listReplacedBlobs(
  rows: readonly DatasourceRow[],
  documents: readonly SavedDocument[],
): { key: string; datasourceId: string }[] {
  const newBlobKeys = new Set(documents.map((document) => document.blobKey));
  return rows.flatMap(({ id, blobKey }) =>
    blobKey === null || newBlobKeys.has(blobKey) ? [] : [{ key: blobKey, datasourceId: id }],
  );
}
