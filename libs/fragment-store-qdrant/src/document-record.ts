import { randomUUID } from 'node:crypto';
import {
  computeDocumentId,
  computeVersionId,
  type DocumentRef,
  type DocumentVersion,
  type StoredDocument,
} from '@quarry/fragment-store';
import type { TenantCollections } from './collections.js';
import type { QdrantConnection } from './qdrant-connection.js';
import { buildEqualsCondition } from './filters.js';
import { getNumberField, getOptionalTextField, getTextField, replaceLoneSurrogates, type Payload } from './payload.js';
import type { Point } from './points.js';

/**
 * Describes the record of a document: a single point that determines which fragments of the document searches return.
 */
export interface DocumentRecord extends Omit<StoredDocument, 'firstFragmentId'> {
  readonly organizationId: string;
  readonly datasourceId: string;
  /** Id of the stored version, as `computeVersionId` returns it. Empty for a removed document. */
  readonly version: string;
  /**
   * Id of the write that stored the fragments which searches return for the document. Every write has an id of its own.
   */
  readonly commit: string;
  /** Lists the commits that the current commit has replaced and whose fragments may still exist. */
  readonly replaced: readonly string[];
  /** Indicates that the replaced fragments were deleted. They are deleted only when no search can use them any more. */
  readonly isSettled: boolean;
  /** Indicates that the document was removed up to `generation`. No fragment has the commit of such a record. */
  readonly isRemoved: boolean;
  /**
   * Holds the encoded `DocumentProfile`. Null if the record was read without its profile, or stored by an earlier
   * version of Quarry.
   */
  readonly profile: string | null;
}

/**
 * Name of the record field whose keys are the revoked commits. As long as the current commit of the record does not
 * change, no revoked commit can become current. So `settleCommits` can delete the fragments of the revoked commits.
 */
export const REVOKED_FIELD = 'revoked';

/**
 * Maximum number of replaced commits that a record lists. `settleCommits` treats replaced commits that are not listed
 * as abandoned, and deletes their fragments, too.
 */
const MAX_REPLACED = 100;

/**
 * Describes a change of a document's record. Searches that begin after the change return only those fragments of the
 * document that the write with the id `commit` stored.
 */
export interface RecordChange {
  readonly version: DocumentVersion;
  readonly commit: string;
  /** Holds the encoded profile of the document, for lexical searches. */
  readonly profile: string;
  /** The record of the document before the change. Undefined if the document had no record. */
  readonly before: DocumentRecord | undefined;
}

/** Builds the record that replaces `before` and makes the commit of a version the current one. */
export function buildRecordPoint({ version, commit, profile, before }: RecordChange): Point {
  const unsettled = before === undefined || before.isSettled ? [] : before.replaced;
  const replaced = before === undefined || before.isRemoved ? [] : [before.commit, ...unsettled];
  const payload = {
    ...buildOwnerFields(version),
    version: computeVersionId(version),
    ...{ commit, replaced: replaced.slice(0, MAX_REPLACED), settled: false },
    generation: version.generation,
    content_hash: version.contentHash,
    fragments: version.fragments.length,
    tokens: version.fragments.reduce((sum, fragment) => sum + fragment.tokens, 0),
    profile,
  };
  return { id: computeDocumentId(version), vector: {}, payload: replaceLoneSurrogates(payload) };
}

/** Builds the record of a removed document. The record blocks writes of generations up to `upTo`. */
export function buildRemovalPoint(document: DocumentRef, upTo: number): Point {
  const payload = {
    ...buildOwnerFields(document),
    ...{ version: '', commit: randomUUID(), replaced: [], settled: true, removed_at: Date.now() },
    ...{ generation: upTo, content_hash: '', fragments: 0, tokens: 0 },
  };
  return { id: computeDocumentId(document), vector: {}, payload: replaceLoneSurrogates(payload) };
}

function buildOwnerFields({ organizationId, datastoreId, datasourceId }: DocumentRef): Record<string, string> {
  return { organization_id: organizationId, datastore_id: datastoreId, datasource_id: datasourceId };
}

export function parseDocumentRecord(payload: Payload): DocumentRecord {
  return {
    organizationId: getTextField(payload, 'organization_id'),
    datasourceId: getTextField(payload, 'datasource_id'),
    version: getTextField(payload, 'version'),
    commit: getTextField(payload, 'commit'),
    replaced: parseReplacedCommits(payload),
    isSettled: payload['settled'] === true,
    isRemoved: typeof payload['removed_at'] === 'number',
    generation: getNumberField(payload, 'generation'),
    contentHash: getTextField(payload, 'content_hash'),
    fragments: getNumberField(payload, 'fragments'),
    tokens: getNumberField(payload, 'tokens'),
    profile: getOptionalTextField(payload, 'profile'),
  };
}

/** Parses the replaced commits. Earlier versions of Quarry stored a single commit or null. */
function parseReplacedCommits({ replaced }: Payload): readonly string[] {
  const commits: readonly unknown[] = Array.isArray(replaced) ? replaced : [replaced];
  return commits.filter((commit) => typeof commit === 'string');
}

/**
 * Reads the records of documents. Returns the existing records, keyed by document id. The result is empty if the
 * collection does not exist.
 *
 * @param parts `all` includes the profiles, which are much larger than the other fields
 */
export async function readDocumentRecords(
  connection: QdrantConnection,
  collection: string,
  ids: readonly string[],
  parts: 'all' | 'without profile' = 'without profile',
): Promise<Map<string, DocumentRecord>> {
  if (ids.length === 0) return new Map();
  const records = await connection.sendToExistingCollection(`read documents of ${collection}`, (client) =>
    client.retrieve(collection, {
      ids: [...ids],
      with_payload: parts === 'all' ? true : { exclude: ['profile'] },
      with_vector: false,
    }),
  );
  return new Map(records?.map(({ id, payload }) => [String(id), parseDocumentRecord(payload ?? {})]));
}

/** Returns true if all fragments of the record's current commit exist. */
export async function hasAllFragments(
  connection: QdrantConnection,
  { fragments, shard }: TenantCollections,
  { commit, fragments: expected }: DocumentRecord,
): Promise<boolean> {
  const filter = { must: [buildEqualsCondition('commit', commit)] };
  const counted = await connection.sendToExistingCollection(`count fragments of ${fragments}`, (client) =>
    client.count(fragments, { ...shard, filter, exact: true }),
  );
  return counted?.count === expected;
}
