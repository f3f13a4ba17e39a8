import { documentId, type DocumentRef } from '@quarry/fragment-store';
import type { CollectionNames } from './collections.js';
import type { QdrantConnection } from './connection.js';
import { documentRecords, removalPoint } from './document-record.js';
import { equals, type Filter } from './filters.js';

/**
 * Removes a document in two steps, and may be killed between them: the next delivery of the removal does the second.
 *
 * 1. Its record is replaced by one that says up to which generation it was removed, unless the record is of a newer
 *    generation. From then on no search returns the fragments, and no replacement that is not newer becomes current.
 * 2. The fragments of those generations are deleted: none of them can become current any more.
 */
export async function removeDocument(
  connection: QdrantConnection,
  { fragments, documents }: CollectionNames,
  document: DocumentRef,
  upTo: number,
): Promise<void> {
  const id = documentId(document);
  const notNewer: Filter = { must: [{ key: 'generation', range: { lte: upTo } }] };
  const points = [removalPoint(document, upTo)];
  await connection.askIfThere(`remove the record of ${document.documentKey} from ${documents}`, (client) =>
    client.upsert(documents, { points, update_filter: notNewer, ordering: 'medium', wait: true }),
  );
  const record = (await documentRecords(connection, documents, [id])).get(id);
  // A newer run stored or confirmed it. Fragments of older generations are then deleted by what replaced them.
  if (record?.isRemoved !== true) return;
  const filter: Filter = {
    must: [equals('document_id', id), { key: 'generation', range: { lte: record.generation } }],
  };
  await connection.askIfThere(`remove ${document.documentKey} from ${fragments}`, (client) =>
    client.delete(fragments, { filter, wait: true }),
  );
}
