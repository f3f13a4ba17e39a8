import { Readable } from 'node:stream';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { saveDocuments, type SavedDocument } from '../datasources/save-documents.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { createBlobKey } from '../uploads/store-uploaded-file.js';
import { reserveBlobs } from '../blobs/discarded-blobs.js';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.js';
import { releaseBlobs } from '../uploads/release-blobs.js';
import type { UpsertedDocument } from './parse-upsert-request.js';
import { resolveDatasourceIds } from './resolve-datasource-ids.js';

/**
 * The media type of upserted texts. It is not Markdown, because reading them as Markdown would remove `<tags>` and line
 * breaks.
 */
const MIME_TYPE = 'text/plain';
const MAX_CONCURRENT_WRITES = 16;

/**
 * Saves the given documents as datasources in a transaction.
 *
 * @returns the ids of the datasources, in the order of the documents
 */
export type SaveTexts = (tx: Queries) => Promise<readonly string[]>;

/**
 * Writes the texts of documents to the blob store, then calls `use` to save the documents as datasources. A document
 * replaces the content of the datasource whose id is the `id` of the document, or else of the datasource with the same
 * identity. If `use` fails or replays an earlier response, the written texts are removed.
 *
 * @param use calls `save` in its own transaction, or replays the response to an earlier request
 * @throws Problem 503 if the blob store is unavailable, and any error of `use`
 */
export async function withStoredTexts<Result extends { readonly isReplayed?: boolean }>(
  gateway: Gateway,
  { organizationId, id: datastoreId }: DatastoreRow,
  documents: readonly UpsertedDocument[],
  use: (save: SaveTexts) => Promise<Result>,
): Promise<Result> {
  const stored = documents.map((document): StoredText => {
    const id = newId();
    return { ...document, newId: id, blobKey: createBlobKey(organizationId, datastoreId, id) };
  });
  const blobKeys = stored.map(({ blobKey }) => blobKey);
  let isKept = false;
  try {
    await reserveBlobs(gateway.db, organizationId, blobKeys, gateway.clock());
    await writeTextBlobs(gateway, stored);
    const result = await use(async (tx) => {
      if (documents.length === 0) return [];
      const datastore = { organizationId, id: datastoreId };
      const resolved = await resolveDatasourceIds(tx, datastore, stored);
      const datasources = await saveDocuments(tx, datastore, resolved.map(buildSavedDocument), gateway.clock());
      return datasources.map(({ datasource }) => datasource.id);
    });
    isKept = result.isReplayed !== true;
    return result;
  } finally {
    if (!isKept) await releaseBlobs(gateway, blobKeys);
  }
}

/** A document whose text is stored in the blob store. `newId` is the id of the datasource, if it creates one. */
interface StoredText extends UpsertedDocument {
  readonly newId: string;
  readonly blobKey: string;
}

/** Writes the texts of documents to the blob store. */
async function writeTextBlobs({ blobs }: Pick<Gateway, 'blobs'>, texts: readonly StoredText[]): Promise<void> {
  try {
    await forEachConcurrently(MAX_CONCURRENT_WRITES, texts, async ({ blobKey, text }) =>
      blobs.write(blobKey, Readable.from([text])),
    );
  } catch (error) {
    throw problem(
      'dependency_unavailable',
      'The blob store did not accept the documents. Nothing was changed. Try again.',
      { cause: error },
    );
  }
}

function buildSavedDocument({ id: documentId, text, ...document }: StoredText): SavedDocument {
  const { newId: id, blobKey, identity, legacyKey, givenName, name, customId, source, metadata } = document;
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
    size: Buffer.byteLength(text),
    blobKey,
    config: { ...(documentId !== null && { documentId }), ...(givenName !== null && { givenName }) },
  };
}
