import { Readable } from 'node:stream';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { saveDocuments, type SavedDocument } from '../datasources/save-documents.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { createBlobKey } from '../uploads/create-blob-key.js';
import { reserveBlobs } from '../blobs/discarded-blobs.js';
import { inParallel } from '../concurrency/in-parallel.js';
import { releaseBlobs } from '../uploads/release-blobs.js';
import type { UpsertedDocument } from './read-upsert.js';

/**
 * Upserted text is kept as it was sent. Read as Markdown, text that merely looks like it would lose its `<tags>` and line breaks.
 */
const MIME_TYPE = 'text/plain';
const WRITES_AT_ONCE = 16;

/**
 * Writes what was prepared: the datasources, and that their texts are in use. @returns their ids, in the order of the documents
 */
export type SaveTexts = (tx: Queries) => Promise<readonly string[]>;

/**
 * Stores the texts of documents, and removes them again unless they are saved: all of them or none. Each document becomes a
 * datasource, or syncs the one that is the same document already.
 *
 * @param use saves them in a transaction of its own, or replays the response to an earlier request
 * @throws Problem; nothing is kept then
 */
export async function withTexts<Result extends { readonly isReplayed?: boolean }>(
  gateway: Gateway,
  { organizationId, id: datastoreId }: DatastoreRow,
  documents: readonly UpsertedDocument[],
  use: (save: SaveTexts) => Promise<Result>,
): Promise<Result> {
  const saved = documents.map((document) => toSaved(organizationId, datastoreId, document));
  const blobKeys = saved.map(({ blobKey }) => blobKey);
  let isKept = false;
  try {
    await reserveBlobs(gateway.db, organizationId, blobKeys, gateway.clock());
    await writeTexts(gateway, documents, blobKeys);
    const result = await use(async (tx) => {
      if (saved.length === 0) return [];
      const all = await saveDocuments(tx, { organizationId, id: datastoreId }, saved, gateway.clock());
      return all.map(({ datasource }) => datasource.id);
    });
    isKept = result.isReplayed !== true;
    return result;
  } finally {
    if (!isKept) await releaseBlobs(gateway, blobKeys);
  }
}

/** @param blobKeys of the documents, in their order */
async function writeTexts(
  { blobs }: Pick<Gateway, 'blobs'>,
  documents: readonly UpsertedDocument[],
  blobKeys: readonly string[],
): Promise<void> {
  const texts = blobKeys.map((blobKey, index) => ({ blobKey, text: documents[index]?.text ?? '' }));
  try {
    await inParallel(WRITES_AT_ONCE, texts, async ({ blobKey, text }) => blobs.write(blobKey, Readable.from([text])));
  } catch (error) {
    throw problem(
      'dependency_unavailable',
      'The blob store did not take the documents. Nothing was changed; try again.',
      { cause: error },
    );
  }
}

function toSaved(organizationId: string, datastoreId: string, document: UpsertedDocument): SavedDocument {
  const { identity, legacyKey, givenName, name, customId, source, metadata } = document;
  const id = newId();
  return {
    newId: id,
    type: 'document',
    identity,
    legacyKey,
    givenName,
    name,
    customId,
    source,
    metadata,
    mimeType: MIME_TYPE,
    blobKey: createBlobKey(organizationId, datastoreId, id),
    config: metadata === null ? {} : { metadata },
  };
}
