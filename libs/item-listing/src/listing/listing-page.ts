import { PermanentListingError } from './listing-errors.js';

/** Describes a response of a listing. */
export interface ListingPage {
  /** Number of items that the listing reports. Some listings count all items, others only the matching ones. */
  readonly totalCount: number;
  /** Unvalidated items. */
  readonly items: readonly unknown[];
  /** The request, formatted for messages. */
  readonly request: string;
  /**
   * The clock of the listing at the end of the second in which it responded, in the form of an item date. Absent when unknown.
   */
  readonly answeredAt?: string;
}

/** Parses a response. @throws PermanentListingError when the body is not `{ total_count: number, items: [...] }` */
export function parseListingPage(body: string, request: string): ListingPage {
  const value = parseJson(body, request);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new PermanentListingError(
      'listing_no_items',
      `expected an object with total_count and items, found ${createExcerpt(body)} (${request})`,
    );
  }
  if (!('items' in value) || !Array.isArray(value.items)) {
    throw new PermanentListingError(
      'listing_no_items',
      `expected an array items, found ${describeField(value, 'items')} (${request})`,
    );
  }
  if (!('total_count' in value) || !isCount(value.total_count)) {
    const found = describeField(value, 'total_count');
    throw new PermanentListingError(
      'listing_no_total_count',
      `expected a number total_count, found ${found} (${request})`,
    );
  }
  return { totalCount: value.total_count, items: value.items, request };
}

function parseJson(body: string, request: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new PermanentListingError('listing_not_json', `expected JSON, found ${createExcerpt(body)} (${request})`, {
      cause,
    });
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function describeField(value: object, name: string): string {
  const found = Object.entries(value).find(([key]) => key === name);
  return found === undefined
    ? `none among ${Object.keys(value).slice(0, 10).join(', ') || 'no fields'}`
    : createExcerpt(JSON.stringify(found[1]));
}

const EXCERPT_LENGTH = 80;

/** Returns the beginning of a text on one line. */
export function createExcerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line;
}

/** Selects items in ascending order of date and id. */
export interface ListingQuery {
  readonly take: number;
  readonly skip: number;
  /** Excludes items modified at or before this date; '' selects all items. */
  readonly modifiedAfter: string;
}

/** Selects all items: the contract requires `modified_after` in each request. */
const EARLIEST_DATE = '1970-01-01T00:00:00.000Z';

/** The parameters that Quarry sets. All others in a customer's address stay as they are. */
const RESERVED_PARAMETERS: ReadonlySet<string> = new Set([
  'take',
  'skip',
  'order',
  'order_by',
  'modified_after',
  '_nonce',
]);

/** Describes the query parameters of a request, encoded. */
export type Parameters = readonly string[];

/** Returns the parameters of a query, except `_nonce`. */
export function buildParameters({ take, skip, modifiedAfter }: ListingQuery): Parameters {
  const after = modifiedAfter === '' ? EARLIEST_DATE : modifiedAfter;
  return [`take=${take}`, `skip=${skip}`, 'order=ASC', 'order_by=date_modified,id', `modified_after=${after}`];
}

/** Builds the address of a request: the customer's own parameters unchanged, then those of Quarry. */
export function buildRequestAddress(listing: string, parameters: Parameters, nonce: string): string {
  return buildAddress(listing, [...listCustomerParameters(listing), ...parameters, `_nonce=${nonce}`]);
}

/**
 * Formats a request for messages. Hides the values of the customer's own parameters, which can be secrets, and omits `_nonce`.
 */
export function formatRequest(listing: string, parameters: Parameters): string {
  const masked = listCustomerParameters(listing).map((parameter) => parameter.replace(/=.*$/s, '=…'));
  return `GET ${buildAddress(listing, [...masked, ...parameters])}`;
}

function listCustomerParameters(listing: string): Parameters {
  return new URL(listing).search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !RESERVED_PARAMETERS.has(nameOf(parameter)));
}

function nameOf(parameter: string): string {
  return [...new URLSearchParams(parameter).keys()][0] ?? '';
}

function buildAddress(listing: string, parameters: Parameters): string {
  const url = new URL(listing);
  return `${url.origin}${url.pathname}?${parameters.join('&')}`;
}
