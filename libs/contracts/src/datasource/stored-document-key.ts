/**
 * Builds the key of a document in the fragment store, where keys are unique per datastore. The prefix keeps the same
 * page in two datasources apart.
 *
 * @param key is unique within the datasource
 */
export function buildStoredDocumentKey(datasourceId: string, key: string): string {
  return `${datasourceId}/${key}`;
}

/**
 * Returns the key of a document within its datasource. A stored key without the prefix of the datasource is returned as
 * it is.
 */
export function parseStoredDocumentKey(datasourceId: string, stored: string): string {
  const prefix = buildStoredDocumentKey(datasourceId, '');
  return stored.startsWith(prefix) ? stored.slice(prefix.length) : stored;
}
