import type { Queries } from '../database/database.js';
import { saveDocuments, type SavedDocument } from '../datasources/save-documents.js';
import { requireDatastoreAccess } from '../datastores/require-datastore.js';
import type { Caller } from '../access/caller.js';
import type { DatasourceWithRun } from '../runs/start-runs.js';

/** An uploaded file as a document, and the datastore that receives it. */
export interface Upload {
  readonly document: SavedDocument;
  readonly datastoreId: string;
}

/**
 * Creates a datasource for an uploaded file, or syncs the datasource of the same document.
 *
 * @throws Problem 404 if the datastore does not exist
 */
export async function saveUpload(
  tx: Queries,
  caller: Caller,
  { document, datastoreId }: Upload,
  now: Date,
): Promise<DatasourceWithRun> {
  const datastore = { organizationId: caller.organizationId, id: requireDatastoreAccess(caller, datastoreId) };
  const [saved] = await saveDocuments(tx, datastore, [document], now);
  if (saved === undefined) throw new Error(`expected a datasource for the file ${document.name}, found none`);
  return saved;
}
