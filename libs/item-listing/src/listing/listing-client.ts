import { randomUUID } from 'node:crypto';
import { parseRetryAfter } from '@quarry/http-headers';
import { FetchFailed, FetchRefused, type RequestLimits, type SafeFetch, type SafeResponse } from '@quarry/safe-fetch';
import { isItemDate } from './item-date.js';
import { ListingAway, ListingBroken, type ListingFault } from './listing-failure.js';
import { begin, listingPage, type ListingPage } from './listing-page.js';
import { addressOf, shownRequest, type Parameters } from './listing-query.js';

/** A customer's listing. Source: docs/interface.md#6-customer-hosted-item-listing. */
export interface Listing {
  readonly url: string;
  /** Sent to the listing's own origin alone. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Slow endpoints are common: a shop that renders a page of products can take a minute. */
export const LISTING_LIMITS: Partial<RequestLimits> = {
  totalMs: 180_000,
  headersMs: 120_000,
  idleMs: 60_000,
  wireBytes: 50 * 1024 * 1024,
  bodyBytes: 100 * 1024 * 1024,
};

/**
 * Asks a listing for one page.
 *
 * @throws ListingBroken when asking again gives the same; ListingAway when it may not; FetchFailed `aborted` by `signal`
 */
export async function fetchPage(
  client: Pick<SafeFetch, 'fetch'>,
  listing: Listing,
  parameters: Parameters,
  options: { readonly signal?: AbortSignal; readonly limits?: Partial<RequestLimits> } = {},
): Promise<ListingPage> {
  const request = shownRequest(listing.url, parameters);
  const address = addressOf(listing.url, parameters, randomUUID());
  try {
    const response = await client.fetch(address, {
      headers: { accept: 'application/json' },
      secretHeaders: listing.headers,
      limits: LISTING_LIMITS,
      ...options,
    });
    if (response.status < 200 || response.status > 299) throw await refusal(response, request);
    const answeredAt = latestTimeOf(response.headers.get('date'));
    const page = listingPage(await response.text(), request);
    return answeredAt === undefined ? page : { ...page, answeredAt };
  } catch (error) {
    throw explained(error, request);
  }
}

/** Parses a `Date` header (RFC 9110, 6.6.1). It counts in seconds, so the time of the answer lies inside the one it names. */
function latestTimeOf(header: string | undefined): string | undefined {
  const ms = Date.parse(header ?? '') + 999;
  const date = Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
  return isItemDate(date) ? date : undefined;
}

const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 3_600_000;
const FAULTS: Readonly<Record<number, ListingFault>> = {
  401: 'listing_unauthorized',
  403: 'listing_forbidden',
  404: 'listing_not_found',
  410: 'listing_not_found',
};

async function refusal(response: SafeResponse, request: string): Promise<Error> {
  const { status, headers } = response;
  const body = await response.text().then(begin, unreadable);
  const message = `the listing answered ${status}: ${body} (${request})`;
  const wait = pauseOf(headers.get('retry-after'), Date.now());
  if (status === 429) return new ListingAway('listing_rate_limited', message, { retryAfterMs: wait ?? 30_000 });
  if (status === 408 || status === 425 || status >= 500) {
    return new ListingAway('listing_unavailable', message, { retryAfterMs: wait });
  }
  return new ListingBroken(FAULTS[status] ?? 'listing_refused', message);
}

/**
 * Returns how long to wait before the listing is asked again, in milliseconds: at least a second, and at most an hour, after which
 * the listing can answer with `Retry-After` again. Undefined when the header is absent or invalid.
 */
export function pauseOf(retryAfter: string | undefined, now: number): number | undefined {
  const ms = parseRetryAfter(retryAfter, now);
  return ms === undefined ? undefined : Math.min(Math.max(ms, MIN_PAUSE_MS), MAX_PAUSE_MS);
}

function unreadable(error: unknown): string {
  return `its body could not be read, ${error instanceof Error ? error.message : String(error)}`;
}

const REFUSALS: Partial<Record<FetchRefused['code'], ListingFault>> = {
  too_large: 'listing_response_too_large',
  header_not_allowed: 'listing_headers_refused',
};

function explained(error: unknown, request: string): unknown {
  if (error instanceof FetchRefused) {
    const code = REFUSALS[error.code] ?? 'listing_address_refused';
    return new ListingBroken(code, `${error.message} (${request})`, { cause: error });
  }
  if (!(error instanceof FetchFailed) || error.code === 'aborted') return error;
  const code = error.code === 'timeout' ? 'listing_timeout' : 'listing_unreachable';
  return new ListingAway(code, `${error.message} (${request})`, { cause: error });
}
