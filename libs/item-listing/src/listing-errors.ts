import { GiveUp } from '@quarry/contracts';

/** Codes of permanent errors of a listing, which another attempt would not avoid. They are stable and documented. */
export type PermanentListingErrorCode =
  /** The response is not JSON. */
  | 'listing_not_json'
  /** The response has no array `items`. */
  | 'listing_no_items'
  /** `total_count` is positive, but the first page is empty. */
  | 'listing_shows_nothing'
  /** The response has no number `total_count`. */
  | 'listing_no_total_count'
  /** The response exceeds the size limit. */
  | 'listing_response_too_large'
  /** The listing ignores `skip`, so its pages repeat. */
  | 'listing_pages_repeat'
  /** The listing returns far more items than `total_count` and does not end. */
  | 'listing_endless'
  /** The listing ignores `order` or `order_by`. */
  | 'listing_wrong_order'
  /** The listing ignores `modified_after`. */
  | 'listing_filter_ignored'
  /** Status 401: the headers are missing or wrong. */
  | 'listing_unauthorized'
  /** Status 403: the server denies access. */
  | 'listing_forbidden'
  /** Status 404 or 410: there is no listing at the address. */
  | 'listing_not_found'
  /** Another status below 500 that is no success. */
  | 'listing_refused'
  /** The address, or the target of a redirect, must not be fetched. */
  | 'listing_address_refused'
  /** The configured headers are not allowed or not valid. */
  | 'listing_headers_refused';

/** Codes of temporary errors of a listing, after which another attempt can succeed. */
export type TemporaryListingErrorCode =
  'listing_unreachable' | 'listing_timeout' | 'listing_unavailable' | 'listing_rate_limited';

/** Reports a permanent error of a listing. The message contains the request that failed. */
export class PermanentListingError extends GiveUp {
  override readonly code: PermanentListingErrorCode;

  constructor(code: PermanentListingErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.name = 'PermanentListingError';
    this.code = code;
  }
}

/** Reports a temporary error of a listing. The message contains the request that failed. */
export class TemporaryListingError extends Error {
  readonly code: TemporaryListingErrorCode;
  /** The delay that the listing requests, in milliseconds. Undefined: it requests none. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: TemporaryListingErrorCode,
    message: string,
    options: ErrorOptions & { readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options);
    this.name = 'TemporaryListingError';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}
