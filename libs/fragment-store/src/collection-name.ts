import { createHash } from 'node:crypto';
import type { Collection } from './fragment-store.js';

const MAX_SLUG_LENGTH = 40;

/**
 * Returns the name of a collection in the store: at most 70 characters of `a-z0-9-`, safe as a file name and in a URL.
 * A hash makes the names of different embeddings differ, even if their readable parts are the same.
 */
export function getCollectionName(collection: Collection): string {
  if (collection.embedding === null) return 'fragments-words';
  const { model, dimensions, distance } = collection.embedding;
  const slug = model
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH);
  const digest = createHash('sha256')
    .update(JSON.stringify([model, dimensions, distance]))
    .digest('hex')
    .slice(0, 12);
  return `fragments-${slug}-${String(dimensions)}-${digest}`;
}
