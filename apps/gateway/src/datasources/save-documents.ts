import { NEW_LIFE } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { lockDatastore, type DatastoreKey } from '../datastores/datastore-repository.js';
import { discardBlobs, keepBlobs } from '../blobs/discarded-blobs.js';
import type { DocumentRow } from '../runs/build-sync-job.js';
import { enqueueLife, startPending, startRuns, type DatasourceWithRun } from '../runs/start-runs.js';
import { identityKey } from './document-identity.js';
import { adoptLegacyDocuments, type LegacyCandidate } from './legacy-documents.js';

/** A document whose bytes are in the blob store. */
export interface SavedDocument extends LegacyCandidate {
  readonly blobKey: string;
  readonly mimeType: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly config: Readonly<Record<string, unknown>>;
  /** The id it gets when it is new. */
  readonly newId: string;
}

/**
 * Creates a datasource for each document, or takes the one that is the same document already, and starts a run of it. The bytes
 * that a document had before are discarded.
 *
 * @param tx a transaction
 * @param documents each with an identity of its own
 * @returns in the order of `documents`
 * @throws Problem 404 for a datastore that is not there
 */
export async function saveDocuments(
  tx: Queries,
  { organizationId, id }: DatastoreKey,
  documents: readonly SavedDocument[],
  now: Date,
): Promise<readonly DatasourceWithRun[]> {
  const datastore = await lockDatastore(tx, organizationId, id);
  await adoptLegacyDocuments(tx, datastore.id, documents);
  const fresh = documents.map((document) => newRow(datastore, document, now));
  const found = await insertOrLock(tx, fresh, now);
  const replaced = documents.map((document) => replace(found.get(identityKey(document.identity)), document));
  await keepBlobs(
    tx,
    documents.map((document) => document.blobKey),
  );
  await discardBlobs(tx, organizationId, replacedBlobs([...found.values()], documents), now);
  const freshOf = new Map(fresh.map((row) => [row.id, row]));
  const pending = replaced.flatMap((row) => {
    const made = freshOf.get(row.id);
    return made === undefined ? [] : { ...row, runId: made.runId };
  });
  const known = replaced.filter(({ id }) => !freshOf.has(id));
  const started = [
    ...(await startPending(tx, datastore, pending, { now })),
    ...(await startRuns(tx, datastore, known, { now })),
  ];
  const startedOf = new Map(started.map((one) => [one.datasource.id, one]));
  return replaced.flatMap(({ id }) => startedOf.get(id) ?? []);
}

/** In the order of the identities, so that two calls which share keys wait for each other and never for themselves. */
async function insertOrLock(
  tx: Queries,
  fresh: readonly NewRow[],
  now: Date,
): Promise<ReadonlyMap<string | null, DatasourceRow>> {
  const ordered = fresh.toSorted((a, b) => (a.identity < b.identity ? -1 : 1));
  const rows = await tx
    .insert(datasources)
    .values(ordered)
    .onConflictDoUpdate({ target: [datasources.datastoreId, datasources.identity], set: { updatedAt: now } })
    .returning();
  return new Map(rows.map((row) => [row.identity, row]));
}

type NewRow = ReturnType<typeof newRow>;

/**
 * The row of a document that is new: its run is to start. Its key in the fragment store is its id, which no caller chooses, and
 * never changes.
 */
function newRow(datastore: DatastoreRow, document: SavedDocument, now: Date) {
  const { organizationId, id: datastoreId } = datastore;
  const { newId: id, identity } = document;
  const keys = { id, documentKey: id, identity: identityKey(identity), organizationId, datastoreId };
  return { ...contentOf(document), ...enqueueLife(NEW_LIFE), ...keys, createdAt: now, updatedAt: now };
}

function replace(row: DatasourceRow | undefined, document: SavedDocument): DocumentRow {
  if (row?.documentKey == null) throw new Error(`expected a row of ${document.name} with a key, found none`);
  return { ...row, ...contentOf(document), documentKey: row.documentKey };
}

function contentOf({ type, name, blobKey, mimeType, customId, source, metadata, config }: SavedDocument) {
  return { type, name, blobKey, mimeType, customId, source, metadata, config };
}

function replacedBlobs(
  rows: readonly DatasourceRow[],
  documents: readonly SavedDocument[],
): { key: string; datasourceId: string }[] {
  const kept = new Set(documents.map((document) => document.blobKey));
  return rows.flatMap(({ id, blobKey }) =>
    blobKey === null || kept.has(blobKey) ? [] : [{ key: blobKey, datasourceId: id }],
  );
}
