import type { DocumentRef } from './fragment-store.js';

/**
 * Returns how a datasource's document is named in the fragment store, whose keys are unique inside of a datastore: two
 * datasources may have the same page, and the one must not replace the other's.
 *
 * @param document its key is unique inside of its datasource
 */
export function storedDocument({ organizationId, datastoreId, datasourceId, documentKey }: DocumentRef): DocumentRef {
  return { organizationId, datastoreId, datasourceId, documentKey: `${datasourceId}/${documentKey}` };
}
