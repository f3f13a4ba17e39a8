/**
 * Maps each code with which a run or a document can fail, or a page can be skipped, to the meaning of the code. Codes
 * are stable, because clients branch on them. docs/errors.md lists the same codes.
 */
export const REASONS = {
  // Runs of any datasource
  cancelled: 'The run was cancelled.',
  usage_limit_reached:
    'The organization has reached its limit of stored tokens. The run resumes automatically when the limit is raised.',
  run_lost: 'The work of the run was lost and cannot be repeated. Sync the datasource.',
  all_documents_failed: 'No document of the run could be indexed. Each document has its own error.',
  attempts_exhausted: 'The job failed repeatedly for a reason other than the content. Sync the datasource later.',
  stalled_too_often: 'The job was aborted repeatedly because the worker process crashed or stopped responding.',
  payload_unreadable: 'An incompatible version of Quarry wrote the job. Sync the datasource.',
  content_missing: 'The uploaded content no longer exists. Upload it again.',
  // Reading of files
  file_empty: 'The file has no bytes.',
  file_encrypted: 'The file is password-protected. Upload it without a password.',
  file_type_mismatch: 'The content does not match the file name or the media type.',
  file_type_unsupported: 'This file type is not supported.',
  file_unreadable: 'The file is damaged, or it is not of its declared type.',
  file_too_large: 'The file, or its decompressed content, exceeds the size limit.',
  text_too_large: 'The text in the file exceeds the size limit.',
  reading_out_of_memory: 'Reading the file exceeds the memory limit.',
  reading_timed_out: 'Reading the file exceeds the time limit.',
  no_text_found: 'No text was found. A scanned document needs `QUARRY_OCR`; a web page may need rendering.',
  ocr_unavailable: 'The program or service for text recognition (OCR) did not respond. Sync the datasource later.',
  ocr_language_missing:
    'The language data for text recognition (OCR) is not installed. Install it, or change `ocrLanguages` of the datastore.',
  // Embedding of fragments
  embedder_not_configured: 'The datastore uses embeddings, but no embedder is configured.',
  embedder_unavailable: 'The embedder did not respond or was overloaded. Sync the datasource later.',
  embedder_refused: 'The embedder rejected the API key, the model or the text.',
  embedding_dimensions_mismatch: 'The length of the vectors does not match the embedding settings of the datastore.',
  // Pages that are skipped
  robots_disallowed: 'robots.txt disallows fetching the page.',
  noindex: 'The page has a `noindex` directive.',
  not_found: 'The page does not exist.',
  gone: 'The page was permanently removed.',
  soft_404: 'The page states that it does not exist, although its status code is not 404.',
  login_page: 'The page is a login form. Content behind a login is not read.',
  unsupported_type: 'The response is not a supported text type.',
  duplicate_of: 'Another URL has the same content.',
  out_of_scope: 'The page is outside the scope of the crawl.',
  limit_reached: 'The crawl has reached its maximum number of pages.',
  redirected_out_of_scope: 'The page redirects to another site, or to an excluded part of the site.',
  // Pages that could not be fetched
  access_denied: 'The server denied access.',
  rate_limited: 'The server is rate-limiting requests, and the retries are used up.',
  fetch_failed: 'The page could not be fetched: its server was unavailable, slow or returned an error.',
  robots_unreachable: 'robots.txt could not be read, so no page of the site may be fetched.',
  too_large: 'The page exceeds the size limit.',
  too_many_redirects: 'The page has too many redirects.',
  redirect_loop: 'The page redirects back to itself.',
  insecure_redirect: 'The page redirects from https to http.',
  needs_rendering: 'The text of the page is created by scripts, and rendering is not configured.',
  page_unreadable: 'Reading the page exceeds the time or memory limit.',
  sitemap_unreadable: 'The sitemap could not be fetched, or it is not a valid sitemap.',
  sitemap_empty: 'The sitemap contains no page of the site.',
  // URLs
  invalid_url: 'The text is not a valid URL of a web page.',
  invalid_config: 'The datasource has neither a sitemap nor a start page.',
  scheme_not_allowed: 'Only http and https URLs can be fetched.',
  credentials_in_url: 'A URL must not contain a user name or password.',
  port_not_allowed: 'The port is not allowed.',
  address_not_public: 'The address is not publicly reachable.',
  header_not_allowed: 'A request header is not allowed.',
  // Item listings
  item_invalid:
    'The item violates a rule of the listing format. The message names the field, the expected value and the actual value.',
  listing_not_json: 'The response of the listing is not valid JSON.',
  listing_no_items: 'The response of the listing has no array `items`.',
  listing_shows_nothing: '`total_count` of the listing is greater than 0, but the listing returned no items.',
  listing_no_total_count: 'The response of the listing has no number `total_count`.',
  listing_response_too_large: 'The response of the listing exceeds the size limit. Use a smaller page size.',
  listing_pages_repeat: 'The listing returned the same page again: it ignores `skip`.',
  listing_endless: 'The listing returned far more items than `total_count`, and does not end.',
  listing_wrong_order: 'The listing ignores `order` and `order_by`.',
  listing_filter_ignored: 'The listing ignores `modified_after`.',
  listing_unauthorized: 'The listing responded with 401: the request headers are missing or wrong.',
  listing_forbidden: 'The listing responded with 403.',
  listing_not_found: 'The listing responded with 404 or 410.',
  listing_refused: 'The listing rejected the request.',
  listing_address_refused: 'The URL of the listing, or of one of its redirects, must not be fetched.',
  listing_headers_refused: 'The headers of the listing are not valid HTTP headers.',
  listing_headers_unreadable: 'The headers of the listing can no longer be decrypted. Set them again.',
  listing_unreachable: 'The server of the listing cannot be reached.',
  listing_timeout: 'The listing did not respond in time.',
  listing_unavailable: 'The server of the listing returned a server error or is overloaded.',
  listing_rate_limited: 'The listing is rate-limiting requests.',
  // Any other failure
  internal_error: 'An internal error occurred in Quarry.',
} as const satisfies Readonly<Record<string, string>>;

export type ReasonCode = keyof typeof REASONS;

export const REASON_CODES = Object.keys(REASONS) as readonly ReasonCode[]; // Object.keys loses the literal key types

/** Returns an error code if users may see it, and `internal_error` for any other code. */
export function toPublicReasonCode(code: string): ReasonCode {
  return REASON_CODES.find((known) => known === code) ?? 'internal_error';
}
