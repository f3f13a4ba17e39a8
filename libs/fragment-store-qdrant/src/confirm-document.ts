import { computeDocumentId, type DocumentRef, type FoundContent } from '@quarry/fragment-store';
import type { CollectionNames } from './collections.js';
import type { QdrantConnection } from './qdrant-connection.js';
import { readDocumentRecords, type DocumentRecord } from './document-record.js';
import { buildEqualsCondition, type Filter } from './filters.js';

/**
 * Raises the generation of a document's record to that of a run, if the record has the content that the run found.
 *
 * @returns the record, or undefined if the content is not stored
 */
export async function confirmDocument(
  connection: QdrantConnection,
  { documents }: CollectionNames,
  document: DocumentRef,
  { generation, contentHash }: FoundContent,
): Promise<DocumentRecord | undefined> {
  const id = computeDocumentId(document);
  const filter: Filter = {
    must: [
      { has_id: [id] },
      buildEqualsCondition('content_hash', contentHash),
      { key: 'generation', range: { lt: generation } },
    ],
  };
  for (;;) {
    await connection.sendToExistingCollection(`confirm ${document.documentKey} in ${documents}`, (client) =>
      client.setPayload(documents, { payload: { generation }, filter, ordering: 'medium', wait: true }),
    );
    const record = (await readDocumentRecords(connection, documents, [id])).get(id);
    if (record?.contentHash !== contentHash || record.isRemoved) return undefined;
    // If an older run stored the same content between the two requests, another attempt confirms its record.
    if (record.generation >= generation) return record;
  }
}
