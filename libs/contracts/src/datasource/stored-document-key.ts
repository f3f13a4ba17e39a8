/**
 * Builds the key of a document in the fragment store, where keys are unique per datastore. The key contains the
 * datasource id, because two datasources can contain documents of the same URL.
 *
 * @param key key of the document, unique within the datasource
 */
export function buildStoredDocumentKey(datasourceId: string, key: string): string {
  return `${datasourceId}/${key}`;
}

/**
 * Returns the key of a document within its datasource, given its key in the fragment store. If `stored` belongs to
 * another datasource, returns `stored` unchanged.
 */
export function parseStoredDocumentKey(datasourceId: string, stored: string): string {
  const prefix = buildStoredDocumentKey(datasourceId, '');
  return stored.startsWith(prefix) ? stored.slice(prefix.length) : stored;
}
