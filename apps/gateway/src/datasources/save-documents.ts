import { NEW_LIFE, type DatasourceType } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { lockDatastore } from '../datastores/datastore-repository.js';
import { problem } from '../problems.js';
import { discardBlobs, keepBlobs } from '../uploads/discarded-blobs.js';
import type { DocumentRow } from '../runs/sync-job.js';
import { enqueued, startPending, startRuns, type DatasourceWithRun } from '../runs/start-runs.js';

/** A document whose bytes are in the blob store. */
export interface SavedDocument {
  readonly documentKey: string;
  readonly type: Extract<DatasourceType, 'file' | 'document'>;
  readonly name: string;
  readonly blobKey: string;
  readonly mimeType: string;
  readonly customId: string | null;
  readonly source: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly config: Readonly<Record<string, unknown>>;
  /** The id it gets when its key is new. */
  readonly newId: string;
}

/**
 * Makes a datasource of each document, or takes the one that has its key already, and starts a run of it. The bytes that a
 * document had before are discarded.
 *
 * @param tx a transaction
 * @param documents each with a key of its own
 * @returns in the order of `documents`
 * @throws Problem 404 for a datastore that is not there, 409 for a key that names a page or a site
 */
export async function saveDocuments(
  tx: Queries,
  organizationId: string,
  datastoreId: string,
  documents: readonly SavedDocument[],
  now: Date,
): Promise<readonly DatasourceWithRun[]> {
  const datastore = await lockDatastore(tx, organizationId, datastoreId);
  const fresh = documents.map((document) => newRow(datastore, document, now));
  const found = await insertOrLock(tx, fresh, now);
  const replaced = documents.map((document) => replace(found.get(document.documentKey), document));
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
    ...(await startPending(tx, datastore, pending, now)),
    ...(await startRuns(tx, datastore, known, now)),
  ];
  const startedOf = new Map(started.map((one) => [one.datasource.id, one]));
  return replaced.flatMap(({ id }) => startedOf.get(id) ?? []);
}

/** In the order of the keys, so that two calls which share keys wait for each other and never for themselves. */
async function insertOrLock(
  tx: Queries,
  fresh: readonly NewRow[],
  now: Date,
): Promise<ReadonlyMap<string | null, DatasourceRow>> {
  const ordered = fresh.toSorted((a, b) => (a.documentKey < b.documentKey ? -1 : 1));
  const rows = await tx
    .insert(datasources)
    .values(ordered)
    .onConflictDoUpdate({ target: [datasources.datastoreId, datasources.documentKey], set: { updatedAt: now } })
    .returning();
  return new Map(rows.map((row) => [row.documentKey, row]));
}

type NewRow = ReturnType<typeof newRow>;

/** As it is stored where its key is new: its run is to start. */
function newRow(datastore: DatastoreRow, document: SavedDocument, now: Date) {
  const { newId: id, ...rest } = document;
  const { organizationId, id: datastoreId } = datastore;
  return { ...rest, ...enqueued(NEW_LIFE), id, organizationId, datastoreId, createdAt: now, updatedAt: now };
}

function replace(row: DatasourceRow | undefined, document: SavedDocument): DocumentRow {
  if (row === undefined) throw new Error(`the document ${document.documentKey} was not written`);
  if (row.type !== 'file' && row.type !== 'document') {
    throw problem(
      'datasource_type_fixed',
      `${document.documentKey} names the ${row.type} ${row.id} in this datastore.`,
    );
  }
  const { type, name, blobKey, mimeType, customId, source, metadata, config, documentKey } = document;
  return { ...row, type, name, blobKey, mimeType, customId, source, metadata, config, documentKey };
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
