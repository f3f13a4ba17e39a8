import { GiveUp } from '@quarry/contracts';

/** Names a permanent error of a listing: another attempt would fail, too. The codes are stable and documented. */
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
  /** The listing ignores `skip`, so it returns the same page again. */
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
  /** The status is below 500 and is neither a success nor one of 401, 403, 404, 408, 410, 425 and 429. */
  | 'listing_refused'
  /** The address, or the target of a redirect, must not be fetched. */
  | 'listing_address_refused'
  /** The configured headers are not allowed or not valid. */
  | 'listing_headers_refused';

/** Names a temporary error of a listing: another attempt can succeed. */
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
  /** The delay that the listing requests before the next attempt, in milliseconds. Undefined: it requests no delay. */
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
