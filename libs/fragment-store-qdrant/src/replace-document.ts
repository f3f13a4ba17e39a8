import { documentId, fragmentId, versionId, type DocumentVersion } from '@quarry/fragment-store';
import type { CollectionNames } from './collections.js';
import type { QdrantConnection } from './connection.js';
import { documentRecords } from './document-records.js';
import { equals, type Filter } from './filters.js';
import { documentPoint, fragmentPoint, type DocumentRecord } from './points.js';
import { batches } from './batches.js';

/**
 * Replaces a document in three steps, each of them safe to repeat and to be killed in:
 *
 * 1. The new fragments are written. No search returns them, because the document's record names another version.
 * 2. The record is changed to name the new version: one point, so everybody sees it at the same instant. The server
 *    changes it only if it does not name a newer generation by then.
 * 3. The fragments of older versions are deleted, and the new ones marked as settled, which saves searches a second look.
 */
export async function replaceDocument(
  connection: QdrantConnection,
  names: CollectionNames,
  version: DocumentVersion,
): Promise<void> {
  const before = await currentRecord(connection, names, version);
  if (before !== undefined && before.generation > version.generation) return;
  if (before?.version !== versionId(version)) {
    await writeFragments(connection, names.fragments, version);
    await nameCurrent(connection, names.documents, version);
    const after = await currentRecord(connection, names, version);
    if (after?.version !== versionId(version)) {
      await removeVersion(connection, names.fragments, version);
      return;
    }
  }
  await settle(connection, names.fragments, version, before);
}

async function currentRecord(
  connection: QdrantConnection,
  { documents }: CollectionNames,
  version: DocumentVersion,
): Promise<DocumentRecord | undefined> {
  const id = documentId(version);
  return (await documentRecords(connection, documents, [id])).get(id);
}

async function writeFragments(connection: QdrantConnection, name: string, version: DocumentVersion): Promise<void> {
  for (const points of batches(version.fragments, (fragment, at) => fragmentPoint(version, at, fragment))) {
    await connection.ask(`write ${String(points.length)} fragments of ${version.documentKey} to ${name}`, (client) =>
      client.upsert(name, { points, wait: true }),
    );
  }
}

async function nameCurrent(connection: QdrantConnection, name: string, version: DocumentVersion): Promise<void> {
  const notNewer: Filter = { must: [{ key: 'generation', range: { lte: version.generation } }] };
  await connection.ask(`write the record of ${version.documentKey} to ${name}`, (client) =>
    client.upsert(name, {
      points: [documentPoint(version)],
      update_filter: notNewer,
      // Two writers of one document are to be put into one order, the same on all replicas.
      ordering: 'medium',
      wait: true,
    }),
  );
}

async function removeVersion(connection: QdrantConnection, name: string, version: DocumentVersion): Promise<void> {
  await connection.ask(`remove an overtaken version of ${version.documentKey} from ${name}`, (client) =>
    client.delete(name, { filter: { must: [equals('version', versionId(version))] }, wait: true }),
  );
}

/** Deletes what is older, never what is newer: that may be in step 1 of its own writer. */
async function settle(
  connection: QdrantConnection,
  name: string,
  version: DocumentVersion,
  before: DocumentRecord | undefined,
): Promise<void> {
  const older: Filter[] = [{ must: [{ key: 'generation', range: { lt: version.generation } }] }];
  const sameRun = before?.generation === version.generation && before.version !== versionId(version);
  if (sameRun) older.push({ must: [equals('version', before.version)] });
  const filter: Filter = { must: [equals('document_id', documentId(version)), { should: older }] };
  const points = version.fragments.map((_, ordinal) => fragmentId(version, ordinal));
  await connection.ask(`settle ${version.documentKey} in ${name}`, (client) =>
    client.batchUpdate(name, {
      operations: [{ delete: { filter } }, { set_payload: { payload: { settled: true }, points } }],
      wait: true,
    }),
  );
}
