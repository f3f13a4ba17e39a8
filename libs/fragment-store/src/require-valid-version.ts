import { DimensionMismatch } from './dimension-mismatch.js';
import type { Collection, DocumentVersion } from './fragment-store.js';

/**
 * Checks a version before a store writes any part of it.
 *
 * @throws DimensionMismatch if the length of a vector does not match the embedding of the collection; RangeError if the
 * version has no fragments
 */
export function requireValidVersion(collection: Collection, version: DocumentVersion): void {
  if (version.fragments.length === 0) {
    throw new RangeError(
      `expected document ${version.documentKey} of datastore ${version.datastoreId} to have at least one fragment, found none`,
    );
  }
  for (const fragment of version.fragments) requireVectorDimensions(collection, fragment.vector);
}

/**
 * Checks the length of a vector.
 *
 * @throws DimensionMismatch if the length does not match the embedding of the collection
 */
export function requireVectorDimensions(collection: Collection, vector: Float32Array | null): void {
  const expected = collection.embedding?.dimensions ?? 0;
  const found = vector?.length ?? 0;
  if (found !== expected) throw new DimensionMismatch(collection.embedding?.model ?? 'none', expected, found);
}
