import { randomUUID } from 'node:crypto';
import {
  computeDocumentId,
  computeVersionId,
  detectVersionLanguage,
  DocumentProfileBuilder,
  type DocumentVersion,
} from '@quarry/fragment-store';
import { extractTerms } from '@quarry/text-analysis';
import { buildPointBatches } from './point-batches.js';
import type { CollectionNames, TenantCollections } from './collections.js';
import type { QdrantConnection } from './qdrant-connection.js';
import {
  readDocumentRecords,
  hasAllFragments,
  buildRecordPoint,
  REVOKED_FIELD,
  type DocumentRecord,
  type RecordChange,
} from './document-record.js';
import { buildEqualsCondition, buildInCondition, type Filter } from './filters.js';
import { buildFragmentPoint } from './points.js';

/**
 * Maximum number of attempts to replace a document. Each concurrent writer of the same document can make at most one
 * attempt fail.
 */
const MAX_ATTEMPTS = 20;

/**
 * Replaces a document in two steps. The process can be killed at any point without damage:
 *
 * 1. It writes the fragments with a new commit id. No search returns them yet, because the document's record still
 * names the commit id of the previous write.
 * 2. It changes the record to name the new commit. The record is a single point, so the change is atomic. The server
 * applies the change only if the record is still as it was read, so every record names all commits that it replaced.
 * The server also rejects the change if `settleCommits` has revoked the new commit in the meantime.
 *
 * `Housekeeping` deletes the replaced fragments later, and those that a failed or killed write left.
 *
 * @returns the new record, or undefined if the document was not changed
 */
export async function replaceDocument(
  connection: QdrantConnection,
  names: TenantCollections,
  version: DocumentVersion,
): Promise<DocumentRecord | undefined> {
  let before = await readCurrentRecord(connection, names, version);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (before !== undefined && !(await canReplaceRecord(connection, names, before, version))) return undefined;
    const commit = randomUUID();
    const profile = await writeFragmentsOrNone(connection, names, version, commit);
    await writeDocumentRecord(connection, names.documents, { version, commit, profile, before });
    before = await readCurrentRecord(connection, names, version);
    if (before?.commit === commit) return before;
    // The commit was current until another commit replaced it, so a search may still read its fragments. The
    // housekeeping deletes the fragments later.
    if (before?.replaced.includes(commit) === true) return undefined;
    await removeFragmentsOfCommit(connection, names, version, commit);
  }
  throw new Error(
    `expected to replace document ${version.documentKey} in ${names.documents} within ${String(MAX_ATTEMPTS)} ` +
      'attempts, found a concurrent change in each attempt: replace the document again',
  );
}

async function canReplaceRecord(
  connection: QdrantConnection,
  names: TenantCollections,
  record: DocumentRecord,
  version: DocumentVersion,
): Promise<boolean> {
  if (record.generation > version.generation) return false;
  if (record.isRemoved) return record.generation < version.generation;
  return record.version !== computeVersionId(version) || !(await hasAllFragments(connection, names, record));
}

async function readCurrentRecord(
  connection: QdrantConnection,
  { documents }: CollectionNames,
  version: DocumentVersion,
): Promise<DocumentRecord | undefined> {
  const id = computeDocumentId(version);
  return (await readDocumentRecords(connection, documents, [id])).get(id);
}

/**
 * Writes the fragments of a version. If the write fails, removes the fragments that were already written. A failure to
 * remove them is ignored, because the next settling of the document removes them.
 */
async function writeFragmentsOrNone(
  connection: QdrantConnection,
  names: TenantCollections,
  version: DocumentVersion,
  commit: string,
): Promise<string> {
  try {
    return await writeFragments(connection, names, version, commit);
  } catch (error) {
    await removeFragmentsOfCommit(connection, names, version, commit).catch(() => undefined);
    throw error;
  }
}

/** Writes the fragments of a version, marked with `commit`. @returns the encoded profile of the document */
async function writeFragments(
  connection: QdrantConnection,
  { fragments: name, shard }: TenantCollections,
  version: DocumentVersion,
  commit: string,
): Promise<string> {
  const written = { commit, language: detectVersionLanguage(version) };
  const profile = new DocumentProfileBuilder();
  for await (const points of buildPointBatches(version.fragments, (fragment, ordinal) => {
    const terms = extractTerms(`${fragment.context}\n${fragment.text}`);
    profile.addFragment(terms, fragment.text.length);
    return buildFragmentPoint(version, written, { ordinal, fragment, terms });
  })) {
    await connection.sendRequest(
      `write ${String(points.length)} fragments of ${version.documentKey} to ${name}`,
      (client) => client.upsert(name, { ...shard, points, wait: true }),
    );
  }
  return profile.encodeProfile();
}

async function writeDocumentRecord(connection: QdrantConnection, name: string, change: RecordChange): Promise<void> {
  const { version, commit, before } = change;
  // The filter also accepts a record with the new commit, because the request is repeated if its response is lost. If
  // there is no record, the server creates it.
  const expected = before === undefined ? [commit] : [before.commit, commit];
  const isUnchanged: Filter = {
    must: [buildInCondition('commit', expected), { key: 'generation', range: { lte: version.generation } }],
    must_not: [{ key: `${REVOKED_FIELD}.${commit}`, match: { value: true } }],
  };
  const record = buildRecordPoint(change);
  await connection.sendRequest(`write the record of ${version.documentKey} to ${name}`, (client) =>
    // With this ordering, all replicas apply concurrent writes of one document in the same order.
    client.upsert(name, { points: [record], update_filter: isUnchanged, ordering: 'medium', wait: true }),
  );
}

async function removeFragmentsOfCommit(
  connection: QdrantConnection,
  { fragments: name, shard }: TenantCollections,
  version: DocumentVersion,
  commit: string,
): Promise<void> {
  await connection.sendRequest(`remove an unused version of ${version.documentKey} from ${name}`, (client) =>
    client.delete(name, { ...shard, filter: { must: [buildEqualsCondition('commit', commit)] }, wait: true }),
  );
}
