import type { DocumentRef } from './fragment-store.js';

/**
 * Returns the reference of a document in the fragment store. Document keys of the store are unique per datastore, so
 * the key is prefixed with the datasource: two datasources may contain the same page.
 *
 * @param document has a key that is unique within its datasource
 */
export function createDocumentRef({
  organizationId,
  datastoreId,
  datasourceId,
  documentKey,
}: DocumentRef): DocumentRef {
  return { organizationId, datastoreId, datasourceId, documentKey: `${datasourceId}/${documentKey}` };
}
