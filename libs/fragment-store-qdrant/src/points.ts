import {
  documentId,
  fragmentId,
  versionId,
  type DocumentVersion,
  type NewFragment,
  type StoredDocument,
} from '@quarry/fragment-store';
import type { Schemas } from '@qdrant/js-client-rest';
import { termsOf } from '@quarry/text-analysis';
import { numberOf, textOf, type Payload } from './payload.js';
import { documentVector } from './sparse-vector.js';

export type Point = Schemas['PointStruct'];

/** Which version of a document is searched. */
export interface DocumentRecord extends StoredDocument {
  readonly version: string;
}

export function documentPoint(version: DocumentVersion): Point {
  const payload = {
    ...ownerOf(version),
    version: versionId(version),
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
    generation: numberOf(payload, 'generation'),
    contentHash: textOf(payload, 'content_hash'),
    fragments: numberOf(payload, 'fragments'),
    tokens: numberOf(payload, 'tokens'),
  };
}

/** A fragment that no search returns yet: its version is not the one that the document's record names. */
export function fragmentPoint(version: DocumentVersion, ordinal: number, fragment: NewFragment): Point {
  const { text, context, page, location } = fragment;
  const payload = {
    ...ownerOf(version),
    custom_id: version.customId,
    source: version.source,
    document_id: documentId(version),
    document_key: version.documentKey,
    version: versionId(version),
    generation: version.generation,
    settled: false,
    ...{ ordinal, page, location, context, text },
  };
  const terms = termsOf(`${context}\n${text}`);
  const vector = {
    ...(terms.length === 0 ? {} : { lexical: documentVector(terms) }),
    ...(fragment.vector === null ? {} : { dense: jsonVector(fragment.vector) }),
  };
  return { id: fragmentId(version, ordinal), vector, payload: wellFormed(payload) };
}

/** Seven decimals: more than the server keeps of a unit vector's parts, and half the bytes of a double. */
export function jsonVector(vector: Float32Array): number[] {
  return Array.from(vector, (value) => Math.round(value * 1e7) / 1e7);
}

function ownerOf({ organizationId, datastoreId, datasourceId }: DocumentVersion): Record<string, string> {
  return { organization_id: organizationId, datastore_id: datastoreId, datasource_id: datasourceId };
}

/** The server refuses text with half a surrogate pair. */
function wellFormed(payload: Payload): Record<string, unknown> {
  const entries = Object.entries(payload);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' ? value.toWellFormed() : value]),
  );
}
