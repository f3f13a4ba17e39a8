import { buildStoredDocumentKey } from '@quarry/contracts';
import type { DocumentRef } from './fragment-store.js';

/**
 * Returns the reference of a document in the fragment store.
 *
 * @param document has a key that is unique within its datasource
 */
export function createDocumentRef({
  organizationId,
  datastoreId,
  datasourceId,
  documentKey,
}: DocumentRef): DocumentRef {
  return { organizationId, datastoreId, datasourceId, documentKey: buildStoredDocumentKey(datasourceId, documentKey) };
}
