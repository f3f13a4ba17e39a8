import { randomUUID } from 'node:crypto';
import { documentId, fragmentId, type DocumentVersion, type NewFragment } from '@quarry/fragment-store';
import type { Schemas } from '@qdrant/js-client-rest';
import { termsOf } from '@quarry/text-analysis';
import { wellFormed } from './payload.js';
import { documentVector } from './sparse-vector.js';

export type Point = Schemas['PointStruct'];

/** A fragment that no search returns before its commit is the current one of its document. */
export function fragmentPoint(version: DocumentVersion, commit: string, ordinal: number, fragment: NewFragment): Point {
  const { text, context, page, location } = fragment;
  const payload = {
    organization_id: version.organizationId,
    datastore_id: version.datastoreId,
    datasource_id: version.datasourceId,
    custom_id: version.customId,
    price: version.offer?.price ?? null,
    stock_status: version.offer?.stockStatus ?? null,
    source: version.source,
    document_id: documentId(version),
    document_key: version.documentKey,
    fragment_id: fragmentId(version, ordinal),
    generation: version.generation,
    ...{ commit, ordinal, page, location, context, text },
  };
  const terms = termsOf(`${context}\n${text}`);
  const vector = {
    ...(terms.length === 0 ? {} : { lexical: documentVector(terms) }),
    ...(fragment.vector === null ? {} : { dense: jsonVector(fragment.vector) }),
  };
  return { id: randomUUID(), vector, payload: wellFormed(payload) };
}

/** Seven decimals: more than the server keeps of a unit vector's parts, and half the bytes of a double. */
export function jsonVector(vector: Float32Array): number[] {
  return Array.from(vector, (value) => Math.round(value * 1e7) / 1e7);
}
