import type { DocumentRef } from '@quarry/fragment-store';

/**
 * What a document is called in the fragment store, whose keys are unique inside of a datastore: two datasources may have the same
 * page, and the one must not take the other's.
 */
export function storedDocument({ organizationId, datastoreId, datasourceId, documentKey }: DocumentRef): DocumentRef {
  return { organizationId, datastoreId, datasourceId, documentKey: `${datasourceId}/${documentKey}` };
}
