import type { CollectionNames } from './collections.js';
import { readDocumentRecords, REVOKED_FIELD } from './document-record.js';
import { buildEqualsCondition, buildInCondition, type Filter } from './filters.js';
import type { QdrantConnection } from './qdrant-connection.js';
import type { ShardAssignment } from './shard-assignment.js';

/** Maximum number of abandoned commits of a document that are deleted at a time. */
const MAX_ABANDONED = 1_000;

/** Describes the current commit of a document. */
export interface SettledCommit {
  readonly organizationId: string;
  readonly documentId: string;
  readonly commit: string;
  /** Newest generation that wrote or confirmed the commit. */
  readonly generation: number;
  readonly replaced: readonly string[];
}

/** Holds the connection, the Qdrant collections and the shard assignment of a batch of commits. */
export interface SettlingContext {
  readonly connection: QdrantConnection;
  readonly names: CollectionNames;
  readonly assignShard: ShardAssignment;
}

/**
 * Settles commits: deletes the fragments that they replaced and those that failed or killed writers left, and marks the
 * records as settled. Call it only when no search uses the replaced fragments any more.
 */
export async function settleCommits(context: SettlingContext, batch: readonly SettledCommit[]): Promise<void> {
  const { connection, names, assignShard } = context;
  const { fragments, documents } = names;
  const abandoned = await revokeAbandonedCommits(context, batch);
  const operations = batch.flatMap(({ organizationId, documentId, commit, replaced }) => {
    const deleted = [...replaced, ...(abandoned.get(commit) ?? [])];
    if (deleted.length === 0) return [];
    const filter = { must: [buildEqualsCondition('document_id', documentId), buildInCondition('commit', deleted)] };
    return [{ delete: { ...assignShard(organizationId), filter } }];
  });
  if (operations.length > 0) {
    await connection.sendRequest(`delete replaced fragments of ${fragments}`, (client) =>
      client.batchUpdate(fragments, { operations, wait: true }),
    );
  }
  const commits = batch.map(({ commit }) => commit);
  const filter: Filter = {
    // Requires both the document id and the commit, so that a document that was replaced in the meantime is not settled.
    must: [{ has_id: batch.map(({ documentId }) => documentId) }, buildInCondition('commit', commits)],
  };
  await connection.sendRequest(`settle documents of ${documents}`, (client) =>
    client.setPayload(documents, { payload: { settled: true }, filter, wait: true }),
  );
}

/**
 * Revokes the commits of which fragments exist, but which no record names. Their writers failed, were killed or are
 * still active. An active writer with a revoked commit cannot make it the current one, and starts again with another
 * commit. So the fragments of a revoked commit can be deleted.
 *
 * @returns the revoked commits, keyed by the current commit of their document
 */
async function revokeAbandonedCommits(
  context: SettlingContext,
  batch: readonly SettledCommit[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { connection, names } = context;
  const affected = await listAffectedDocuments(context, batch);
  const found = new Map<string, readonly string[]>();
  for (const current of batch.filter(({ documentId }) => affected.has(documentId))) {
    const commits = await listAbandonedCommits(context, current);
    if (commits.length === 0) continue;
    await revokeCommits(context, current, commits);
    found.set(current.commit, commits);
  }
  const records = await readDocumentRecords(connection, names.documents, [...affected]);
  const currentCommits = new Set(Array.from(records.values(), ({ commit }) => commit));
  // If a document was replaced in the meantime, its abandoned commits were not revoked, so they are omitted. The
  // document is settled later.
  return new Map([...found].filter(([commit]) => currentCommits.has(commit)));
}

/** Lists the documents of a batch that may have fragments of abandoned commits. The result is usually empty. */
async function listAffectedDocuments(
  { connection, names: { fragments } }: SettlingContext,
  batch: readonly SettledCommit[],
): Promise<ReadonlySet<string>> {
  const ids = batch.map(({ documentId }) => documentId);
  const named = batch.flatMap(({ commit, replaced }) => [commit, ...replaced]);
  const filter = { must: [buildInCondition('document_id', ids)], must_not: [buildInCondition('commit', named)] };
  const { hits } = await connection.sendRequest(`find abandoned fragments in ${fragments}`, (client) =>
    client.facet(fragments, { key: 'document_id', filter, limit: ids.length, exact: true }),
  );
  return new Set(hits.map(({ value }) => String(value)));
}

/** Lists the abandoned commits of a document, but none of a newer generation than the current commit. */
async function listAbandonedCommits(
  { connection, names: { fragments }, assignShard }: SettlingContext,
  { organizationId, documentId, commit, generation, replaced }: SettledCommit,
): Promise<readonly string[]> {
  const filter: Filter = {
    must: [buildEqualsCondition('document_id', documentId), { key: 'generation', range: { lte: generation } }],
    must_not: [buildInCondition('commit', [commit, ...replaced])],
  };
  const { hits } = await connection.sendRequest(`list abandoned commits in ${fragments}`, (client) =>
    client.facet(fragments, {
      ...assignShard(organizationId),
      ...{ key: 'commit', filter, limit: MAX_ABANDONED, exact: true },
    }),
  );
  return hits.map(({ value }) => String(value));
}

/** Adds revoked commits to the record of a document, unless the document was replaced in the meantime. */
async function revokeCommits(
  { connection, names: { documents } }: SettlingContext,
  { documentId, commit }: SettledCommit,
  revoked: readonly string[],
): Promise<void> {
  const payload = Object.fromEntries(revoked.map((one) => [one, true]));
  const filter: Filter = { must: [{ has_id: [documentId] }, buildEqualsCondition('commit', commit)] };
  await connection.sendRequest(`revoke abandoned commits in ${documents}`, (client) =>
    // With a key, the server adds the properties to the object in this field, so that concurrent revocations are all
    // stored. With this ordering, all replicas apply a revocation and concurrent writes in the same order.
    client.setPayload(documents, { key: REVOKED_FIELD, payload, filter, ordering: 'medium', wait: true }),
  );
}
