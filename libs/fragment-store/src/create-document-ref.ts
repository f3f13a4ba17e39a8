import { buildStoredDocumentKey } from '@quarry/contracts';
import type { DocumentRef } from './fragment-store.js';

/**
 * Returns the reference of a document in the fragment store. Its key is unique within the datastore.
 *
 * @param document contains a key that is unique only within the datasource
 */
export function createDocumentRef({
  organizationId,
  datastoreId,
  datasourceId,
  documentKey,
}: DocumentRef): DocumentRef {
  return { organizationId, datastoreId, datasourceId, documentKey: buildStoredDocumentKey(datasourceId, documentKey) };
}
