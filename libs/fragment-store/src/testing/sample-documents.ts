import { createHash, randomUUID } from 'node:crypto';
import type { Collection, DocumentRef, DocumentVersion, NewFragment } from '../fragment-store.js';
import type { FragmentScope } from '../fragment-scope.js';

/** Describes a collection whose vectors are short, so that failure messages with vectors are readable. */
export const SAMPLE_COLLECTION: Collection = { embedding: { model: 'sample', dimensions: 8, distance: 'cosine' } };

export const WORDS_COLLECTION: Collection = { embedding: null };

/** Creates a document of a new organization, so that tests that share a store do not find each other's documents. */
export function createSampleDocument(parts: Partial<DocumentRef> = {}): DocumentRef {
  return {
    organizationId: `organization-${randomUUID()}`,
    datastoreId: `datastore-${randomUUID()}`,
    datasourceId: `datasource-${randomUUID()}`,
    documentKey: `document-${randomUUID()}`,
    ...parts,
  };
}

/** Creates a version of a document with the given texts. The vector of a fragment depends only on its text. */
export function createSampleVersion(
  document: DocumentRef,
  texts: readonly string[],
  parts: Partial<DocumentVersion> = {},
): DocumentVersion {
  const contentHash = createHash('sha256').update(JSON.stringify(texts)).digest('hex');
  const fragments = texts.map((text) => createSampleFragment(text));
  return { ...document, generation: 1, contentHash, customId: null, source: null, fragments, ...parts };
}

export function createSampleFragment(text: string, parts: Partial<NewFragment> = {}): NewFragment {
  return {
    text,
    context: '',
    page: null,
    location: null,
    rectangles: [],
    tokens: 1,
    vector: createSampleVector(text),
    ...parts,
  };
}

/** Returns a unit vector for a text. The vector is the same on each call, and usually differs between texts. */
export function createSampleVector(text: string, dimensions = 8): Float32Array {
  const bytes = createHash('sha256').update(text).digest();
  const raw = Float32Array.from({ length: dimensions }, (_, at) => (bytes[at % bytes.length] ?? 0) - 127.5);
  const norm = Math.hypot(...raw);
  return raw.map((value) => value / norm);
}

/** Returns a search scope that contains the whole datastore of a document. */
export function createScope(document: DocumentRef, parts: Partial<FragmentScope> = {}): FragmentScope {
  return { organizationId: document.organizationId, datastoreIds: [document.datastoreId], ...parts };
}
