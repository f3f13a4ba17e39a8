/**
 * A passage of a document. `source` is the result of `findDocumentUrl`: null if the document has no URL, such as an
 * uploaded file.
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

/** The fields of a datasource that determine the URLs of its documents. */
interface SourceOfDocuments {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * Returns the URL of a document, or null if the document has none. An item without a URL has the URL of its listing,
 * because a listing has no original file. The query of that URL is omitted, because it can contain a key.
 *
 * @param source the stored URL of the document
 * @param datasource undefined if it was removed
 */
export function findDocumentUrl(source: string | null, datasource: SourceOfDocuments | undefined): string | null {
  if (source !== null || datasource?.type !== 'item_listing') return source;
  const { url } = datasource.config;
  const listing = typeof url === 'string' ? URL.parse(url) : null;
  return listing && `${listing.origin}${listing.pathname}`;
}

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
