import { buildStoredDocumentKey } from '@quarry/contracts';
import type { DocumentRef } from './fragment-store.js';

/**
 * Returns the reference of a document in the fragment store. The key of the reference is unique within the datastore.
 *
 * @param document identifies the document by a key that is unique only within its datasource
 */
export function createDocumentRef({
  organizationId,
  datastoreId,
  datasourceId,
  documentKey,
}: DocumentRef): DocumentRef {
  return { organizationId, datastoreId, datasourceId, documentKey: buildStoredDocumentKey(datasourceId, documentKey) };
}
