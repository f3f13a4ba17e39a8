import { randomUUID } from 'node:crypto';
import { parseRetryAfter } from '@quarry/http-headers';
import { FetchFailed, FetchRefused, type RequestLimits, type SafeFetch, type SafeResponse } from '@quarry/safe-fetch';
import { isItemDate } from './listed-item.js';
import { TemporaryListingError, PermanentListingError, type PermanentListingErrorCode } from './listing-errors.js';
import {
  buildRequestAddress,
  createExcerpt,
  formatRequest,
  type ListingPage,
  type Parameters,
  parseListingPage,
} from './listing-page.js';

/** Describes a customer's listing. Source: docs/interface.md#6-customer-hosted-item-listing. */
export interface Listing {
  readonly url: string;
  /** Request headers, sent only to the origin of the listing. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sets generous limits, because a shop can need a minute to render a page of products. */
const LISTING_LIMITS: Partial<RequestLimits> = {
  totalMs: 180_000,
  headersMs: 120_000,
  idleMs: 60_000,
  wireBytes: 50 * 1024 * 1024,
  bodyBytes: 100 * 1024 * 1024,
};

/**
 * Fetches one page of a listing.
 *
 * @throws PermanentListingError for a permanent error; TemporaryListingError for a temporary error; FetchFailed `aborted` when `signal` is aborted
 */
export async function fetchPage(
  client: Pick<SafeFetch, 'fetch'>,
  listing: Listing,
  parameters: Parameters,
  { signal, limits }: { readonly signal?: AbortSignal; readonly limits?: Partial<RequestLimits> } = {},
): Promise<ListingPage> {
  const request = formatRequest(listing.url, parameters);
  const address = buildRequestAddress(listing.url, parameters, randomUUID());
  try {
    const response = await client.fetch(address, {
      headers: { accept: 'application/json' },
      secretHeaders: listing.headers,
      limits: { ...LISTING_LIMITS, ...limits },
      ...(signal && { signal }),
    });
    if (response.status < 200 || response.status > 299) throw await readErrorResponse(response, request);
    const answeredAt = parseDateHeader(response.headers.get('date'));
    const page = parseListingPage(await response.text(), request);
    return answeredAt === undefined ? page : { ...page, answeredAt };
  } catch (error) {
    throw toListingError(error, request);
  }
}

/**
 * Parses a `Date` header (RFC 9110, section 6.6.1). It has a resolution of seconds, so the last millisecond of that second is
 * returned.
 */
function parseDateHeader(header: string | undefined): string | undefined {
  const ms = Date.parse(header ?? '') + 999;
  const date = Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
  return isItemDate(date) ? date : undefined;
}

const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 3_600_000;
const PERMANENT_ERRORS: Readonly<Record<number, PermanentListingErrorCode>> = {
  401: 'listing_unauthorized',
  403: 'listing_forbidden',
  404: 'listing_not_found',
  410: 'listing_not_found',
};

async function readErrorResponse(response: SafeResponse, request: string): Promise<Error> {
  const { status, headers } = response;
  const body = await response.text().then(createExcerpt, describeReadError);
  const message = `the listing answered ${status}: ${body} (${request})`;
  const wait = computePauseMs(headers.get('retry-after'), Date.now());
  if (status === 429)
    return new TemporaryListingError('listing_rate_limited', message, { retryAfterMs: wait ?? 30_000 });
  if (status === 408 || status === 425 || status >= 500) {
    return new TemporaryListingError('listing_unavailable', message, { retryAfterMs: wait });
  }
  return new PermanentListingError(PERMANENT_ERRORS[status] ?? 'listing_refused', message);
}

/**
 * Returns how long to wait before the next request, in milliseconds: at least a second and at most an hour. Returns undefined
 * when the header is absent or invalid.
 */
export function computePauseMs(retryAfter: string | undefined, now: number): number | undefined {
  const ms = parseRetryAfter(retryAfter, now);
  return ms === undefined ? undefined : Math.min(Math.max(ms, MIN_PAUSE_MS), MAX_PAUSE_MS);
}

function describeReadError(error: unknown): string {
  return `its body could not be read, ${error instanceof Error ? error.message : String(error)}`;
}

const REFUSED_ERRORS: Partial<Record<FetchRefused['code'], PermanentListingErrorCode>> = {
  too_large: 'listing_response_too_large',
  header_not_allowed: 'listing_headers_refused',
};

function toListingError(error: unknown, request: string): unknown {
  if (error instanceof FetchRefused) {
    const code = REFUSED_ERRORS[error.code] ?? 'listing_address_refused';
    return new PermanentListingError(code, `${error.message} (${request})`, { cause: error });
  }
  if (!(error instanceof FetchFailed) || error.code === 'aborted') return error;
  const code = error.code === 'timeout' ? 'listing_timeout' : 'listing_unreachable';
  return new TemporaryListingError(code, `${error.message} (${request})`, { cause: error });
}
