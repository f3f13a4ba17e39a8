import { GiveUp } from '@quarry/contracts';

/** Why a listing cannot be read, whenever it is asked. Stable and documented. */
export type ListingFault =
  /** The answer is no JSON. */
  | 'listing_not_json'
  /** The answer has no array `items`. */
  | 'listing_no_items'
  | 'listing_shows_nothing'
  /** The answer has no number `total_count`. */
  | 'listing_no_total_count'
  /** The answer is larger than is read. */
  | 'listing_response_too_large'
  /** `skip` changes nothing. */
  | 'listing_pages_repeat'
  /** There are far more items than `total_count` announced, and no end. */
  | 'listing_endless'
  /** `order` and `order_by` are not kept. */
  | 'listing_wrong_order'
  /** `modified_after` is not kept. */
  | 'listing_filter_ignored'
  /** 401: the headers are missing or wrong. */
  | 'listing_unauthorized'
  /** 403. */
  | 'listing_forbidden'
  /** 404 or 410. */
  | 'listing_not_found'
  /** Another refusal. */
  | 'listing_refused'
  /** The address, or one it redirects to, may not be fetched from here. */
  | 'listing_address_refused'
  /** The headers that were configured cannot be sent. */
  | 'listing_headers_refused';

/** Why a listing cannot be read now, though it may be later. */
export type ListingAbsence = 'listing_unreachable' | 'listing_timeout' | 'listing_unavailable' | 'listing_rate_limited';

/** A listing that asking again does not change. The message names the request that shows it. */
export class ListingBroken extends GiveUp {
  override readonly code: ListingFault;

  constructor(code: ListingFault, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.name = 'ListingBroken';
    this.code = code;
  }
}

/** A listing that does not answer now. */
export class ListingAway extends Error {
  readonly code: ListingAbsence;
  /** How long it asks to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ListingAbsence,
    message: string,
    options: ErrorOptions & { readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options);
    this.name = 'ListingAway';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}
