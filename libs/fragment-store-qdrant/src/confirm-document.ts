import { documentId, type DocumentRef, type FoundContent } from '@quarry/fragment-store';
import type { CollectionNames } from './collections.js';
import type { QdrantConnection } from './connection.js';
import { documentRecords, type DocumentRecord } from './document-record.js';
import { equals, type Filter } from './filters.js';

/**
 * Raises the generation of a document's record, one point, where it is of the content that was found.
 *
 * @returns the record, or undefined where other content is stored
 */
export async function confirmDocument(
  connection: QdrantConnection,
  { documents }: CollectionNames,
  document: DocumentRef,
  { generation, contentHash }: FoundContent,
): Promise<DocumentRecord | undefined> {
  const id = documentId(document);
  const filter: Filter = {
    must: [{ has_id: [id] }, equals('content_hash', contentHash), { key: 'generation', range: { lt: generation } }],
  };
  for (;;) {
    await connection.askIfThere(`confirm ${document.documentKey} in ${documents}`, (client) =>
      client.setPayload(documents, { payload: { generation }, filter, ordering: 'medium', wait: true }),
    );
    const record = (await documentRecords(connection, documents, [id])).get(id);
    if (record?.contentHash !== contentHash || record.isRemoved) return undefined;
    // Otherwise the content was stored between the two requests, by an older run: it is to be confirmed, too.
    if (record.generation >= generation) return record;
  }
}
