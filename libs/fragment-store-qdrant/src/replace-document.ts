import { randomUUID } from 'node:crypto';
import { documentId, versionId, type DocumentVersion } from '@quarry/fragment-store';
import { batches } from './batches.js';
import type { CollectionNames } from './collections.js';
import type { QdrantConnection } from './connection.js';
import { documentRecords, isWhole, recordPoint, type DocumentRecord } from './document-record.js';
import { equals, isOneOf, type Filter } from './filters.js';
import { fragmentPoint } from './points.js';

/** A writer loses at most once to each other writer of the same document. */
const MAX_ATTEMPTS = 20;

/**
 * Replaces a document in two steps, and may be killed in any of them:
 *
 * 1. The fragments are written. No search returns them, because the document's record names another commit.
 * 2. The record is changed to name the new commit: one point, so everybody sees it at the same instant. The server
 *    changes it only if it is still the record that was read before. So every record names all that it replaced.
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
  let before = await currentRecord(connection, names, version);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (before !== undefined && !(await isReplaceable(connection, names, before, version))) return undefined;
    const commit = randomUUID();
    await writeFragments(connection, names.fragments, version, commit);
    await makeCurrent(connection, names.documents, version, commit, before);
    before = await currentRecord(connection, names, version);
    if (before?.commit === commit) return before;
    // It was current, and a search may still read it: what has replaced it deletes it.
    if (before?.replaced.includes(commit) === true) return undefined;
    await removeCommit(connection, names.fragments, version, commit);
  }
  throw new Error(
    `expected to replace ${version.documentKey} in ${names.documents} within ${String(MAX_ATTEMPTS)} attempts, found ` +
      'that other writers changed it each time; repeat the replacement',
  );
}

async function isReplaceable(
  connection: QdrantConnection,
  names: CollectionNames,
  record: DocumentRecord,
  version: DocumentVersion,
): Promise<boolean> {
  if (record.generation > version.generation) return false;
  if (record.isRemoved) return record.generation < version.generation;
  return record.version !== versionId(version) || !(await isWhole(connection, names, record));
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
  before: DocumentRecord | undefined,
): Promise<void> {
  // Its own commit, too: the request may be repeated after an answer that was lost. A record that is not there is made.
  const expected = before === undefined ? [commit] : [before.commit, commit];
  const isUnchanged: Filter = {
    must: [isOneOf('commit', expected), { key: 'generation', range: { lte: version.generation } }],
  };
  const record = recordPoint(version, commit, before);
  await connection.ask(`write the record of ${version.documentKey} to ${name}`, (client) =>
    // Ordered, so that two writers of one document come in one order to all replicas.
    client.upsert(name, { points: [record], update_filter: isUnchanged, ordering: 'medium', wait: true }),
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
