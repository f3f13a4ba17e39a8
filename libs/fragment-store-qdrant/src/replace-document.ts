import { randomUUID } from 'node:crypto';
import { documentId, versionId, type DocumentVersion } from '@quarry/fragment-store';
import { batches } from './batches.js';
import type { CollectionNames } from './collections.js';
import type { QdrantConnection } from './connection.js';
import { documentRecords, recordPoint, type DocumentRecord } from './document-record.js';
import { equals, type Filter } from './filters.js';
import { fragmentPoint } from './points.js';

/**
 * Replaces a document in two steps, and may be killed in any of them:
 *
 * 1. The fragments are written. No search returns them, because the document's record names another commit.
 * 2. The record is changed to name the new commit: one point, so everybody sees it at the same instant. The server
 *    changes it only if it does not name a newer generation by then.
 *
 * What it replaced is deleted later, by `Housekeeping`.
 *
 * @returns the new record, or undefined where the document was left as it was
 */
export async function replaceDocument(
  connection: QdrantConnection,
  names: CollectionNames,
  version: DocumentVersion,
): Promise<DocumentRecord | undefined> {
  const before = await currentRecord(connection, names, version);
  if (before !== undefined && (before.generation > version.generation || before.version === versionId(version))) return;
  const commit = randomUUID();
  await writeFragments(connection, names.fragments, version, commit);
  await makeCurrent(connection, names.documents, version, commit, before?.commit ?? null);
  const after = await currentRecord(connection, names, version);
  if (after?.commit === commit) return after;
  await removeCommit(connection, names.fragments, version, commit);
  return undefined;
}

async function currentRecord(
  connection: QdrantConnection,
  { documents }: CollectionNames,
  version: DocumentVersion,
): Promise<DocumentRecord | undefined> {
  const id = documentId(version);
  return (await documentRecords(connection, documents, [id])).get(id);
}

async function writeFragments(
  connection: QdrantConnection,
  name: string,
  version: DocumentVersion,
  commit: string,
): Promise<void> {
  for await (const points of batches(version.fragments, (fragment, at) =>
    fragmentPoint(version, commit, at, fragment),
  )) {
    await connection.ask(`write ${String(points.length)} fragments of ${version.documentKey} to ${name}`, (client) =>
      client.upsert(name, { points, wait: true }),
    );
  }
}

async function makeCurrent(
  connection: QdrantConnection,
  name: string,
  version: DocumentVersion,
  commit: string,
  replaced: string | null,
): Promise<void> {
  const notNewer: Filter = { must: [{ key: 'generation', range: { lte: version.generation } }] };
  const record = recordPoint(version, commit, replaced);
  await connection.ask(`write the record of ${version.documentKey} to ${name}`, (client) =>
    // Ordered, so that two writers of one document come in one order to all replicas.
    client.upsert(name, { points: [record], update_filter: notNewer, ordering: 'medium', wait: true }),
  );
}

async function removeCommit(
  connection: QdrantConnection,
  name: string,
  version: DocumentVersion,
  commit: string,
): Promise<void> {
  await connection.ask(`remove an overtaken version of ${version.documentKey} from ${name}`, (client) =>
    client.delete(name, { filter: { must: [equals('commit', commit)] }, wait: true }),
  );
}
