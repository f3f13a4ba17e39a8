import { documentId, type DocumentRef, type FoundContent } from '@quarry/fragment-store';
import type { CollectionNames } from './collections.js';
import type { QdrantConnection } from './connection.js';
import { documentRecords } from './document-record.js';
import { equals, type Filter } from './filters.js';

/** Raises the generation of a document's record, one point, where it is of the content that was found. @returns whether it is */
export async function confirmDocument(
  connection: QdrantConnection,
  { documents }: CollectionNames,
  document: DocumentRef,
  { generation, contentHash }: FoundContent,
): Promise<boolean> {
  const id = documentId(document);
  const filter: Filter = {
    must: [{ has_id: [id] }, equals('content_hash', contentHash), { key: 'generation', range: { lt: generation } }],
  };
  await connection.askIfThere(`confirm ${document.documentKey} in ${documents}`, (client) =>
    client.setPayload(documents, { payload: { generation }, filter, ordering: 'medium', wait: true }),
  );
  return (await documentRecords(connection, documents, [id])).get(id)?.contentHash === contentHash;
}
