/**
 * Builds the key of a document in the fragment store, where keys are unique per datastore. The datasource id in the key
 * distinguishes two documents of the same URL in two datasources.
 *
 * @param key is unique within the datasource
 */
export function buildStoredDocumentKey(datasourceId: string, key: string): string {
  return `${datasourceId}/${key}`;
}

/** Returns the key of a document within its datasource. Returns a stored key of another datasource unchanged. */
export function parseStoredDocumentKey(datasourceId: string, stored: string): string {
  const prefix = buildStoredDocumentKey(datasourceId, '');
  return stored.startsWith(prefix) ? stored.slice(prefix.length) : stored;
}
