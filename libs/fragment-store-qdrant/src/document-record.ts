import { documentId, versionId, type DocumentVersion, type StoredDocument } from '@quarry/fragment-store';
import type { QdrantConnection } from './connection.js';
import { numberOf, optionalTextOf, textOf, wellFormed, type Payload } from './payload.js';
import type { Point } from './points.js';

/** What is known of a document: the one point that decides which of its fragments are searched. */
export interface DocumentRecord extends StoredDocument {
  readonly version: string;
  /** Names the fragments that are searched: those that were written for this change, and no others ever. */
  readonly commit: string;
  /** The commit that this one replaced, null where there was none. Its fragments are to be deleted. */
  readonly replaced: string | null;
  /** The commit is older than any search may last, and what it replaced is deleted. */
  readonly isSettled: boolean;
}

export function recordPoint(version: DocumentVersion, commit: string, replaced: string | null): Point {
  const payload = {
    organization_id: version.organizationId,
    datastore_id: version.datastoreId,
    datasource_id: version.datasourceId,
    version: versionId(version),
    ...{ commit, replaced, settled: false },
    generation: version.generation,
    content_hash: version.contentHash,
    fragments: version.fragments.length,
    tokens: version.fragments.reduce((sum, fragment) => sum + fragment.tokens, 0),
  };
  return { id: documentId(version), vector: {}, payload: wellFormed(payload) };
}

export function documentRecord(payload: Payload): DocumentRecord {
  return {
    version: textOf(payload, 'version'),
    commit: textOf(payload, 'commit'),
    replaced: optionalTextOf(payload, 'replaced'),
    isSettled: payload['settled'] === true,
    generation: numberOf(payload, 'generation'),
    contentHash: textOf(payload, 'content_hash'),
    fragments: numberOf(payload, 'fragments'),
    tokens: numberOf(payload, 'tokens'),
  };
}

/** The records of the documents, by document id; none where the collection is not there. */
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
