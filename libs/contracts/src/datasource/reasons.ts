/**
 * Why a run, or a document of it, did not come to what was asked, by code. Codes are stable: clients branch on them. Each is a row
 * of docs/errors.md.
 */
export const REASONS = {
  // Of any run
  cancelled: 'The run was cancelled.',
  usage_limit_reached:
    'The organization may store no more tokens. Once its limit is raised, the run goes on by itself.',
  run_lost: 'The run’s work was lost and could not be repeated. Sync the datasource.',
  all_documents_failed: 'No document of the run could be indexed. Each says why itself.',
  attempts_exhausted: 'Something failed again and again that is not the content’s fault. Sync the datasource later.',
  stalled_too_often: 'The service died over it, again and again.',
  payload_unreadable:
    'The job was written by a version of Quarry that this one does not understand. Sync the datasource.',
  content_missing: 'What was uploaded is not there any more. Upload it again.',
  // Reading
  file_empty: 'The file has no bytes.',
  file_encrypted: 'The file is protected by a password. Upload it without.',
  file_type_mismatch: 'The content is of another type than the file’s name or media type say.',
  file_type_unsupported: 'Files of this type are not read.',
  file_unreadable: 'The file is damaged, or not what its type says.',
  file_too_large: 'The file, or what it unpacks to, is over the limit.',
  text_too_large: 'The text in the file is over the limit.',
  reading_out_of_memory: 'Reading the file takes more memory than a file may.',
  reading_timed_out: 'Reading the file takes longer than a file may.',
  no_text_found: 'There is no text in it. A scan needs its text recognised first; a page may need rendering.',
  // Embedding
  embedder_not_configured: 'The datastore is embedded, and no embedder is configured.',
  embedder_unavailable: 'The embedder did not answer, or was overloaded. Sync the datasource later.',
  embedder_refused: 'The embedder refuses the key, the model or the text.',
  embedding_dimensions_mismatch: 'The vectors are not as long as the datastore’s embedding says.',
  // Pages that are left out because that is how they are
  robots_disallowed: 'robots.txt does not let Quarry fetch the page.',
  noindex: 'The page asks not to be indexed.',
  not_found: 'There is no such page.',
  gone: 'The page was removed for good.',
  soft_404: 'The page says that there is no such page, though its status says otherwise.',
  login_page: 'The page asks for a password and says little else. What is behind it is not read.',
  unsupported_type: 'What the address answers with is no text that can be read.',
  duplicate_of: 'Its content is there already, under another address.',
  out_of_scope: 'The page is not part of what is crawled.',
  limit_reached: 'The crawl has as many pages as it may have.',
  redirected_out_of_scope: 'The page leads to another site, or to a part of the site that is left out.',
  // Pages that could not be had
  access_denied: 'The server does not let Quarry in.',
  rate_limited: 'The server asks for fewer requests than even patience allows.',
  fetch_failed: 'The page could not be fetched: its server was away, slow or broken.',
  robots_unreachable: 'robots.txt could not be read, so nothing may be fetched.',
  too_large: 'The page is larger than is taken.',
  too_many_redirects: 'The page redirects too often.',
  redirect_loop: 'The page’s redirects lead back to it.',
  insecure_redirect: 'The page leads from https to http.',
  needs_rendering: 'The page’s text is put in by scripts, and rendering is not configured.',
  page_unreadable: 'The page cannot be read with the time and memory that a page may take.',
  sitemap_unreadable: 'The sitemap is not one, or could not be had.',
  sitemap_empty: 'The sitemap names no page of the site.',
  // Addresses
  invalid_url: 'It is not the address of a web page.',
  invalid_config: 'The datasource names neither a sitemap nor a page to begin with.',
  scheme_not_allowed: 'Only http and https are fetched.',
  credentials_in_url: 'An address may hold no name and password.',
  port_not_allowed: 'This port is not fetched from.',
  address_not_public: 'The address is not one that everybody can reach.',
  header_not_allowed: 'A header of the request may not be sent.',
  // Listings of items
  item_invalid:
    'The item breaks a rule of the contract. The message names the field, what was expected and what was found.',
  listing_not_json: 'The listing’s answer is no JSON.',
  listing_no_items: 'The listing’s answer has no array `items`.',
  listing_shows_nothing: 'The listing says by `total_count` that it has items, and shows none.',
  listing_no_total_count: 'The listing’s answer has no number `total_count`.',
  listing_response_too_large: 'The listing’s answer is larger than is read. Ask for smaller pages.',
  listing_pages_repeat: 'The listing gives the same page again: `skip` changes nothing.',
  listing_endless: 'The listing has far more items than `total_count` says, and no end.',
  listing_wrong_order: 'The listing does not keep `order` and `order_by`.',
  listing_filter_ignored: 'The listing does not keep `modified_after`.',
  listing_unauthorized: 'The listing answered 401: its headers are missing or wrong.',
  listing_forbidden: 'The listing answered 403.',
  listing_not_found: 'The listing answered 404 or 410.',
  listing_refused: 'The listing refused the request.',
  listing_address_refused: 'The listing’s address, or one it redirects to, may not be fetched.',
  listing_headers_refused: 'The listing’s headers cannot be sent.',
  listing_headers_unreadable: 'The listing’s headers can no longer be decrypted. Set them again.',
  listing_unreachable: 'The listing’s server cannot be reached.',
  listing_timeout: 'The listing took too long to answer.',
  listing_unavailable: 'The listing’s server has a fault, or is overloaded.',
  listing_rate_limited: 'The listing asks for fewer requests.',
  // Of none of these
  internal_error: 'Something went wrong in Quarry.',
} as const satisfies Readonly<Record<string, string>>;

export type ReasonCode = keyof typeof REASONS;

export const REASON_CODES = Object.keys(REASONS) as readonly ReasonCode[]; // keys of a literal are its keys

/** What a job failed with, as it is told to customers. */
export function reasonCodeOf(code: string): ReasonCode {
  return REASON_CODES.find((known) => known === code) ?? 'internal_error';
}
