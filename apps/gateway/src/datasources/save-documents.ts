import { INITIAL_STATE } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { lockDatastore, type DatastoreKey } from '../datastores/datastore-repository.js';
import { discardBlobs, confirmBlobUse } from '../blobs/discarded-blobs.js';
import type { DocumentRow } from '../runs/build-sync-job.js';
import { buildPendingState, startPendingRuns, startRuns, type DatasourceWithRun } from '../runs/start-runs.js';
import { adoptLegacyDocuments, identityKey, type LegacyCandidate } from './document-identity.js';

/** A document whose bytes are in the blob store. */
export interface SavedDocument extends LegacyCandidate {
  readonly blobKey: string;
  readonly mimeType: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly config: Readonly<Record<string, unknown>>;
  /** Size of the content in bytes. */
  readonly size: number;
  /** The id of the datasource, if it is new. */
  readonly newId: string;
}

/** Number of documents in one request for which a person may wait. Larger requests are imports. */
const MAX_INTERACTIVE_DOCUMENTS = 10;

/**
 * Saves documents as datasources and starts a run of each. A datasource with the same identity is updated, and its previous blob
 * is discarded.
 *
 * @param tx a transaction
 * @param documents with identities that differ
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
  await adoptLegacyDocuments(tx, datastore.id, documents);
  const newRows = documents.map((document) => buildRow(datastore, document, now));
  const found = await insertOrLock(tx, newRows, now);
  const replaced = documents.map((document) => replaceContent(found.get(identityKey(document.identity)), document));
  await confirmBlobUse(
    tx,
    documents.map((document) => document.blobKey),
  );
  await discardBlobs(tx, organizationId, replacedBlobs([...found.values()], documents), now);
  const newRowById = new Map(newRows.map((row) => [row.id, row]));
  const pending = replaced.flatMap((row) => {
    const newRow = newRowById.get(row.id);
    return newRow === undefined ? [] : { ...row, runId: newRow.runId };
  });
  const existing = replaced.filter(({ id }) => !newRowById.has(id));
  const bytes = new Map(replaced.map(({ id }, index) => [id, documents[index]?.size ?? 0]));
  const jobClass = documents.length <= MAX_INTERACTIVE_DOCUMENTS ? 'interactive' : 'sync';
  const start = { now, jobClass, bytes } as const;
  const started = [
    ...(await startPendingRuns(tx, datastore, pending, start)),
    ...(await startRuns(tx, datastore, existing, start)),
  ];
  const startedById = new Map(started.map((one) => [one.datasource.id, one]));
  return replaced.flatMap(({ id }) => startedById.get(id) ?? []);
}

/** Inserts or locks rows in the order of the identities, so that concurrent calls with common identities cannot deadlock. */
async function insertOrLock(
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

type NewRow = ReturnType<typeof buildRow>;

/**
 * Builds the row of a new document with a pending run. Its document key is its id, which no caller chooses and which never
 * changes.
 */
function buildRow(datastore: DatastoreRow, document: SavedDocument, now: Date) {
  const { organizationId, id: datastoreId } = datastore;
  const { newId: id, identity } = document;
  const keys = { id, documentKey: id, identity: identityKey(identity), organizationId, datastoreId };
  return { ...contentOf(document), ...buildPendingState(INITIAL_STATE), ...keys, createdAt: now, updatedAt: now };
}

function replaceContent(row: DatasourceRow | undefined, document: SavedDocument): DocumentRow {
  if (row?.documentKey == null) throw new Error(`expected a row with a document key for ${document.name}, found none`);
  return { ...row, ...contentOf(document), documentKey: row.documentKey };
}

function contentOf({ type, name, blobKey, mimeType, customId, source, metadata, config }: SavedDocument) {
  return { type, name, blobKey, mimeType, customId, source, metadata, config };
}

function replacedBlobs(
  rows: readonly DatasourceRow[],
  documents: readonly SavedDocument[],
): { key: string; datasourceId: string }[] {
  const newBlobKeys = new Set(documents.map((document) => document.blobKey));
  return rows.flatMap(({ id, blobKey }) =>
    blobKey === null || newBlobKeys.has(blobKey) ? [] : [{ key: blobKey, datasourceId: id }],
  );
}
