import { DimensionMismatch, type Collection, type DocumentVersion } from './fragment-store.js';

/**
 * What every store asks of a version before it writes any of it.
 *
 * @throws DimensionMismatch when a vector is not as long as the collection's embedding says
 */
export function checkVersion(collection: Collection, version: DocumentVersion): void {
  if (version.fragments.length === 0) {
    throw new RangeError(
      `document ${version.documentKey} of datastore ${version.datastoreId} is to have at least one fragment, found none`,
    );
  }
  for (const fragment of version.fragments) checkVector(collection, fragment.vector);
}

/** @throws DimensionMismatch when the vector is not as long as the collection's embedding says */
export function checkVector(collection: Collection, vector: Float32Array | null): void {
  const expected = collection.embedding?.dimensions ?? 0;
  const found = vector?.length ?? 0;
  if (found !== expected) throw new DimensionMismatch(collection.embedding?.model ?? 'none', expected, found);
}
