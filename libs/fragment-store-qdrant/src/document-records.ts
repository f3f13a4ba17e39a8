import type { QdrantConnection } from './connection.js';
import { documentRecord, type DocumentRecord } from './points.js';

/** What is known of each of the documents, by document id; none where the collection is not there. */
export async function documentRecords(
  connection: QdrantConnection,
  collection: string,
  ids: readonly string[],
): Promise<Map<string, DocumentRecord>> {
  if (ids.length === 0) return new Map();
  const records = await connection.askIfThere(`read documents of ${collection}`, (client) =>
    client.retrieve(collection, { ids: [...ids], with_payload: true, with_vector: false }),
  );
  return new Map(records?.map(({ id, payload }) => [String(id), documentRecord(payload ?? {})]));
}
