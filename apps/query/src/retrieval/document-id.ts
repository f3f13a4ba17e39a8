import type { ScoredFragment } from '@quarry/fragment-store';

/**
 * Returns a key that identifies the document of a fragment among the documents of all datastores. It is equal for all
 * versions of the document. A `documentKey` alone is unique only within a datastore.
 */
export function getDocumentId({ datastoreId, documentKey }: ScoredFragment): string {
  return JSON.stringify([datastoreId, documentKey]);
}
