/**
 * A passage of a document. `source` is the URL of the document, or null if the document has none, such as an uploaded
 * file.
 */
interface Passage {
  readonly source: string | null;
  readonly datasource_id: string;
}

/**
 * A passage as it is stored. Its `source` is never a URL of this API, because such a URL depends on the settings and on
 * the request.
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
 * Returns a copy of a passage whose `source` is always a URL. If the passage has no `source`, this is the URL at which
 * this API returns the original file or text of the datasource.
 */
export function addSourceAddress<Stored extends Passage>(
  apiUrl: string,
  passage: Stored,
): Stored & { readonly source: string } {
  return Object.assign({}, passage, {
    source: passage.source ?? buildOriginalAddress(apiUrl, passage.datasource_id),
  });
}
