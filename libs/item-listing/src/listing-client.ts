import { randomUUID } from 'node:crypto';
import { parseRetryAfter } from '@quarry/http-responses';
import { FetchFailed, FetchRefused, type RequestLimits, type SafeFetch, type SafeResponse } from '@quarry/safe-fetch';
import { isItemDate, toCanonicalJson } from './listed-item.js';
import { TemporaryListingError, PermanentListingError, type PermanentListingErrorCode } from './listing-errors.js';
import { buildRequestAddress, formatRequestForMessages, type Parameters } from './listing-request.js';
import { readJsonText } from './read-json-text.js';

/** Address and request headers of a customer's listing. Source: docs/interface.md#6-customer-hosted-item-listing. */
export interface Listing {
  readonly url: string;
  /** Request headers, sent only to the origin of the listing. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Limits of a request for one page. The times are long, because a shop can need a minute to respond. */
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
 * @throws PermanentListingError if another attempt would fail, too; TemporaryListingError if another attempt can
 * succeed; FetchFailed `aborted` if `signal` aborts
 */
export async function fetchListingPage(
  client: Pick<SafeFetch, 'fetch'>,
  listing: Listing,
  parameters: Parameters,
  { signal, limits }: { readonly signal?: AbortSignal; readonly limits?: Partial<RequestLimits> } = {},
): Promise<ListingPage> {
  const request = formatRequestForMessages(listing.url, parameters);
  const address = buildRequestAddress(listing.url, parameters, randomUUID());
  try {
    const response = await client.fetch(address, {
      headers: { accept: 'application/json' },
      secretHeaders: listing.headers,
      limits: { ...LISTING_LIMITS, ...limits },
      ...(signal && { signal }),
    });
    if (response.status < 200 || response.status > 299) throw await createStatusError(response, request);
    const answeredAt = parseDateHeader(response.headers.get('date'));
    const page = parseListingPage(await readJsonText(response), request);
    return answeredAt === undefined ? page : { ...page, answeredAt };
  } catch (error) {
    throw convertToListingError(error, request);
  }
}

/**
 * Parses a `Date` header (RFC 9110, section 6.6.1), whose resolution is a second. Returns the last millisecond of the
 * second in the header, or undefined if the header is missing or invalid.
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

async function createStatusError(response: SafeResponse, request: string): Promise<Error> {
  const { status, headers } = response;
  const body = await response.text().then(formatExcerpt, describeReadError);
  const message = `the listing responded with ${status}: ${body} (${request})`;
  const wait = parsePauseMs(headers.get('retry-after'), Date.now());
  if (status === 429)
    return new TemporaryListingError('listing_rate_limited', message, { retryAfterMs: wait ?? 30_000 });
  if (status === 408 || status === 425 || status >= 500) {
    return new TemporaryListingError('listing_unavailable', message, { retryAfterMs: wait });
  }
  return new PermanentListingError(PERMANENT_ERRORS[status] ?? 'listing_refused', message);
}

/**
 * Returns the delay before the next request, in milliseconds: the delay of `Retry-After`, but at least a second and at
 * most an hour. Returns undefined if the header is absent or invalid.
 */
export function parsePauseMs(retryAfter: string | undefined, now: number): number | undefined {
  const ms = parseRetryAfter(retryAfter, now);
  return ms === undefined ? undefined : Math.min(Math.max(ms, MIN_PAUSE_MS), MAX_PAUSE_MS);
}

function describeReadError(error: unknown): string {
  return `the response body could not be read: ${error instanceof Error ? error.message : String(error)}`;
}

const REFUSED_ERRORS: Partial<Record<FetchRefused['code'], PermanentListingErrorCode>> = {
  too_large: 'listing_response_too_large',
  header_not_allowed: 'listing_headers_refused',
};

function convertToListingError(error: unknown, request: string): unknown {
  if (error instanceof FetchRefused) {
    const code = REFUSED_ERRORS[error.code] ?? 'listing_address_refused';
    return new PermanentListingError(code, `${error.message} (${request})`, { cause: error });
  }
  if (!(error instanceof FetchFailed) || error.code === 'aborted') return error;
  const code = error.code === 'timeout' ? 'listing_timeout' : 'listing_unreachable';
  return new TemporaryListingError(code, `${error.message} (${request})`, { cause: error });
}

/** Describes the response to a request for one page. */
export interface ListingPage {
  /** `total_count` of the response. Some listings count all items, others only the items that match the request. */
  readonly totalCount: number;
  /** The items of the page, unvalidated. */
  readonly items: readonly unknown[];
  /** The request, as `formatRequestForMessages` formats it for messages. */
  readonly request: string;
  /**
   * Time of the response by the clock of the listing, in the form of an item date. The milliseconds are 999, because
   * the clock has a resolution of a second. Absent: unknown.
   */
  readonly answeredAt?: string;
}

/**
 * Parses the body of a response of a listing.
 *
 * @throws PermanentListingError if the body is not `{ total_count: number, items: [...] }`
 */
export function parseListingPage(body: string, request: string): ListingPage {
  const value = parseJson(body, request);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new PermanentListingError(
      'listing_no_items',
      `expected an object with "total_count" and "items", found ${formatExcerpt(body)} (${request})`,
    );
  }
  if (!('items' in value) || !Array.isArray(value.items)) {
    throw new PermanentListingError(
      'listing_no_items',
      `expected "items" to be an array, found ${describeField(value, 'items')} (${request})`,
    );
  }
  if (!('total_count' in value) || !isItemCount(value.total_count)) {
    const found = describeField(value, 'total_count');
    throw new PermanentListingError(
      'listing_no_total_count',
      `expected "total_count" to be a number, found ${found} (${request})`,
    );
  }
  return { totalCount: value.total_count, items: value.items, request };
}

function parseJson(body: string, request: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new PermanentListingError('listing_not_json', `expected JSON, found ${formatExcerpt(body)} (${request})`, {
      cause,
    });
  }
}

function isItemCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function describeField(value: object, name: string): string {
  const found = Object.entries(value).find(([key]) => key === name);
  return found === undefined
    ? `none among ${Object.keys(value).slice(0, 10).join(', ') || 'no fields'}`
    : formatExcerpt(toCanonicalJson(found[1]));
}

const EXCERPT_LENGTH = 80;

/**
 * Returns the first `EXCERPT_LENGTH` characters of a text, on one line. Returns the word `nothing` for a blank text.
 */
export function formatExcerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line;
}
