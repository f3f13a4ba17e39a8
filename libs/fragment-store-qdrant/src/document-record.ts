import { randomUUID } from 'node:crypto';
import {
  documentId,
  versionId,
  type DocumentRef,
  type DocumentVersion,
  type StoredDocument,
} from '@quarry/fragment-store';
import type { CollectionNames } from './collections.js';
import type { QdrantConnection } from './connection.js';
import { equals } from './filters.js';
import { numberOf, textOf, wellFormed, type Payload } from './payload.js';
import type { Point } from './points.js';

/** The one point of a document, which decides which of its fragments are searched. */
export interface DocumentRecord extends Omit<StoredDocument, 'firstFragmentId'> {
  /** Its `versionId`; empty for a document that was removed. */
  readonly version: string;
  /** Names the fragments that are searched: those that were written for this change, and no others ever. */
  readonly commit: string;
  /** The commits that this one replaced and whose fragments may still be there. */
  readonly replaced: readonly string[];
  /** The commit is older than any search may last, and what it replaced is deleted. */
  readonly isSettled: boolean;
  /** The document was removed, up to this generation. No fragment has the record's commit. */
  readonly isRemoved: boolean;
}

/** What is not settled yet is carried on, up to so many commits; older generations are deleted without being listed. */
const MAX_REPLACED = 100;

/** Returns the record that makes a version the current one, in place of `before`. */
export function recordPoint(version: DocumentVersion, commit: string, before: DocumentRecord | undefined): Point {
  const unsettled = before === undefined || before.isSettled ? [] : before.replaced;
  const replaced = before === undefined || before.isRemoved ? [] : [before.commit, ...unsettled];
  const payload = {
    ...ownersOf(version),
    version: versionId(version),
    ...{ commit, replaced: replaced.slice(0, MAX_REPLACED), settled: false },
    generation: version.generation,
    content_hash: version.contentHash,
    fragments: version.fragments.length,
    tokens: version.fragments.reduce((sum, fragment) => sum + fragment.tokens, 0),
  };
  return { id: documentId(version), vector: {}, payload: wellFormed(payload) };
}

/** Returns the record of a removed document: it keeps out what is not newer. */
export function removalPoint(document: DocumentRef, upTo: number): Point {
  const payload = {
    ...ownersOf(document),
    ...{ version: '', commit: randomUUID(), replaced: [], settled: true, removed_at: Date.now() },
    ...{ generation: upTo, content_hash: '', fragments: 0, tokens: 0 },
  };
  return { id: documentId(document), vector: {}, payload: wellFormed(payload) };
}

function ownersOf({ organizationId, datastoreId, datasourceId }: DocumentRef): Record<string, string> {
  return { organization_id: organizationId, datastore_id: datastoreId, datasource_id: datasourceId };
}

export function documentRecord(payload: Payload): DocumentRecord {
  return {
    version: textOf(payload, 'version'),
    commit: textOf(payload, 'commit'),
    replaced: replacedOf(payload),
    isSettled: payload['settled'] === true,
    isRemoved: typeof payload['removed_at'] === 'number',
    generation: numberOf(payload, 'generation'),
    contentHash: textOf(payload, 'content_hash'),
    fragments: numberOf(payload, 'fragments'),
    tokens: numberOf(payload, 'tokens'),
  };
}

/** Records of earlier versions of Quarry name one commit, or null. */
function replacedOf({ replaced }: Payload): readonly string[] {
  const commits: readonly unknown[] = Array.isArray(replaced) ? replaced : [replaced];
  return commits.filter((commit) => typeof commit === 'string');
}

/** Returns the records of the documents by document id; none where the collection is not there. */
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

/** Returns whether every fragment that the record counts is there. */
export async function isWhole(
  connection: QdrantConnection,
  { fragments }: CollectionNames,
  { commit, fragments: expected }: DocumentRecord,
): Promise<boolean> {
  const filter = { must: [equals('commit', commit)] };
  const counted = await connection.askIfThere(`count fragments of ${fragments}`, (client) =>
    client.count(fragments, { filter, exact: true }),
  );
  return counted?.count === expected;
}
