import { Readable } from 'node:stream';
import { newId } from '../database/id.js';
import { saveDocuments, type SavedDocument } from '../datasources/save-documents.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { newBlobKey } from '../uploads/blob-key.js';
import { reserveBlobs } from '../uploads/discarded-blobs.js';
import { inParallel } from '../uploads/in-parallel.js';
import { releaseBlobs } from '../uploads/release-blobs.js';
import type { UpsertedDocument } from './upserted-documents.js';

/**
 * Upserted text is kept as it was sent. Read as Markdown, text that merely looks like it would lose its `<tags>` and line breaks.
 */
const MIME_TYPE = 'text/plain';
const WRITES_AT_ONCE = 16;

/**
 * Makes a datasource of each document, or syncs the one that has its key already: all of them or none. Of documents with the
 * same key the last counts.
 *
 * @returns the datasources' ids, in the order of `documents`
 * @throws Problem; nothing is kept then
 */
export async function upsertDocuments(
  gateway: Gateway,
  organizationId: string,
  datastoreId: string,
  documents: readonly UpsertedDocument[],
): Promise<readonly string[]> {
  const byKey = new Map(documents.map((document) => [document.documentKey, document]));
  const saved = [...byKey.values()].map((document) => toSaved(organizationId, datastoreId, document));
  if (saved.length === 0) return [];
  const blobKeys = saved.map(({ blobKey }) => blobKey);
  try {
    await reserveBlobs(gateway.db, organizationId, blobKeys, gateway.clock());
    await writeTexts(gateway, saved, byKey);
    const all = await saveDocuments(gateway.db, organizationId, datastoreId, saved, gateway.clock());
    gateway.outboxWritten.wake();
    const idOf = new Map(all.map(({ datasource }) => [datasource.documentKey, datasource.id]));
    return documents.map(({ documentKey }) => idOf.get(documentKey) ?? '');
  } catch (error) {
    await releaseBlobs(gateway, blobKeys);
    throw error;
  }
}

async function writeTexts(
  { blobs }: Pick<Gateway, 'blobs'>,
  saved: readonly SavedDocument[],
  byKey: ReadonlyMap<string, UpsertedDocument>,
): Promise<void> {
  try {
    await inParallel(WRITES_AT_ONCE, saved, async ({ blobKey, documentKey }) =>
      blobs.write(blobKey, Readable.from([byKey.get(documentKey)?.text ?? ''])),
    );
  } catch (error) {
    throw problem('dependency_unavailable', 'The documents could not be stored. Try again.', { cause: error });
  }
}

function toSaved(organizationId: string, datastoreId: string, document: UpsertedDocument): SavedDocument {
  const { documentKey, name, customId, source, metadata } = document;
  const id = newId();
  return {
    newId: id,
    type: 'document',
    documentKey,
    name,
    customId,
    source,
    metadata,
    mimeType: MIME_TYPE,
    blobKey: newBlobKey(organizationId, datastoreId, id),
    config: metadata === null ? {} : { metadata },
  };
}
