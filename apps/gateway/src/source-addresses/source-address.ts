/**
 * A passage of a document. `source` is the address of the document, or null if the document has no address of its own.
 */
interface Passage {
  readonly source: string | null;
  readonly datasource_id: string;
}

/**
 * A passage as it is stored. It contains no addresses of this API, because these depend on the settings and on the
 * request.
 */
export type StoredPassage<Shown extends { readonly source: string }> = Omit<Shown, 'source'> & Passage;

/**
 * Returns the address at which this API returns the original file or text of a datasource.
 *
 * @param apiUrl such as `https://example.com/api`
 */
export function buildOriginalAddress(apiUrl: string, datasourceId: string): string {
  return `${apiUrl}/datasources/${datasourceId}/original`;
}

/**
 * Returns a passage whose `source` is an address: the address of its document, or if the document has none, the address
 * of its original in this API.
 */
export function addSourceAddress<Stored extends Passage>(
  apiUrl: string,
  passage: Stored,
): Stored & { readonly source: string } {
  return Object.assign({}, passage, {
    source: passage.source ?? buildOriginalAddress(apiUrl, passage.datasource_id),
  });
}
