import { randomUUID } from 'node:crypto';
import {
  computeDocumentId,
  computeFragmentId,
  encodeRectangles,
  type DocumentVersion,
  type NewFragment,
} from '@quarry/fragment-store';
import type { Schemas } from '@qdrant/js-client-rest';
import { buildMetadataPayload } from './metadata-payload.js';
import { replaceLoneSurrogates } from './payload.js';
import { buildDocumentVector } from './sparse-vector.js';

export type Point = Schemas['PointStruct'];

/** Describes a commit, that is, one write of a document version. */
export interface Commit {
  readonly commit: string;
  /** ISO 639-1 code of the version's main language, or null if the language is unclear. */
  readonly language: string | null;
}

/** Holds a fragment to be written, its position in the document and its lexical terms. */
export interface AnalyzedFragment {
  readonly ordinal: number;
  readonly fragment: NewFragment;
  readonly terms: readonly string[];
}

/** Builds the point of a fragment. Searches ignore the point until its commit is the current commit of the document. */
export function buildFragmentPoint(
  version: DocumentVersion,
  { commit, language }: Commit,
  { ordinal, fragment, terms }: AnalyzedFragment,
): Point {
  const { text, context, page, location } = fragment;
  const rectangles = encodeRectangles(fragment.rectangles);
  const payload = {
    organization_id: version.organizationId,
    datastore_id: version.datastoreId,
    datasource_id: version.datasourceId,
    custom_id: version.customId,
    price: version.offer?.price ?? null,
    stock_status: version.offer?.stockStatus ?? null,
    language,
    source: version.source,
    document_id: computeDocumentId(version),
    document_key: version.documentKey,
    fragment_id: computeFragmentId(version, ordinal),
    generation: version.generation,
    ...{ commit, ordinal, page, location, context, text },
    ...(rectangles === null ? {} : { rectangles }),
    ...buildMetadataPayload(version),
  };
  const vector = {
    ...(terms.length === 0 ? {} : { lexical: buildDocumentVector(terms) }),
    ...(fragment.vector === null ? {} : { dense: roundVector(fragment.vector) }),
  };
  return { id: randomUUID(), vector, payload: replaceLoneSurrogates(payload) };
}

/**
 * Rounds the numbers of a unit vector to seven decimals, because the server stores no more digits, and requests become
 * half as large.
 */
export function roundVector(vector: Float32Array): number[] {
  return Array.from(vector, (value) => Math.round(value * 1e7) / 1e7);
}
