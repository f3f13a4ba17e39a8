import { createHash } from 'node:crypto';
import type { Collection } from './fragment-store.js';

const MAX_SLUG_LENGTH = 40;

/**
 * A collection's name in the store: at most 70 characters of `a-z0-9-`, so that it is safe as a file name and in a URL, and
 * different for embeddings that differ in anything, even where the readable part of the name is the same.
 */
export function collectionName(collection: Collection): string {
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
