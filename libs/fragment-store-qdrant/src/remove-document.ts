import { computeDocumentId, type DocumentRef } from '@quarry/fragment-store';
import type { TenantCollections } from './collections.js';
import type { QdrantConnection } from './qdrant-connection.js';
import { readDocumentRecords, buildRemovalPoint } from './document-record.js';
import { buildEqualsCondition, type Filter } from './filters.js';

/**
 * Removes a document in two steps. If the process is killed between the steps, the next delivery of the removal job
 * completes the removal.
 *
 * 1. Unless the document's record is newer than generation `upTo`, a record that marks the document as removed up to
 * `upTo` replaces it. From then on, no search returns the fragments, and no replacement of generation `upTo` or older
 * becomes current.
 * 2. The fragments of generation `upTo` and older are deleted, because none of them can become current again.
 */
export async function removeDocument(
  connection: QdrantConnection,
  { fragments, documents, shard }: TenantCollections,
  document: DocumentRef,
  upTo: number,
): Promise<void> {
  const id = computeDocumentId(document);
  const notNewer: Filter = { must: [{ key: 'generation', range: { lte: upTo } }] };
  const points = [buildRemovalPoint(document, upTo)];
  await connection.sendToExistingCollection(
    `remove the record of ${document.documentKey} from ${documents}`,
    (client) => client.upsert(documents, { points, update_filter: notNewer, ordering: 'medium', wait: true }),
  );
  const record = (await readDocumentRecords(connection, documents, [id])).get(id);
  // If the record is not a removal, a newer run stored or confirmed the document. The housekeeping of that run deletes
  // the fragments of older generations.
  if (record?.isRemoved !== true) return;
  const filter: Filter = {
    must: [buildEqualsCondition('document_id', id), { key: 'generation', range: { lte: record.generation } }],
  };
  await connection.sendToExistingCollection(`remove ${document.documentKey} from ${fragments}`, (client) =>
    client.delete(fragments, { ...shard, filter, wait: true }),
  );
}
