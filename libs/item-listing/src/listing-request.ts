/** Describes a request for one page of the items in ascending order of date and id. */
export interface ListingQuery {
  readonly take: number;
  readonly skip: number;
  /** Excludes items that were modified at or before this date. '': excludes no items. */
  readonly modifiedAfter: string;
}

/** Value of `modified_after` that selects all items, because the contract requires the parameter in each request. */
const EARLIEST_DATE = '1970-01-01T00:00:00.000Z';

/** Names of the query parameters that Quarry sets. All other parameters in the customer's address stay unchanged. */
const RESERVED_PARAMETERS: ReadonlySet<string> = new Set([
  'take',
  'skip',
  'order',
  'order_by',
  'modified_after',
  '_nonce',
]);

/** Lists encoded query parameters, such as `take=100`. */
export type Parameters = readonly string[];

/** Returns the parameters that Quarry sets, except `_nonce`. */
export function buildListingParameters({ take, skip, modifiedAfter }: ListingQuery): Parameters {
  const after = modifiedAfter === '' ? EARLIEST_DATE : modifiedAfter;
  return [`take=${take}`, `skip=${skip}`, 'order=ASC', 'order_by=date_modified,id', `modified_after=${after}`];
}

/**
 * Builds the address of a request: the customer's address with the customer's own parameters, unchanged, and then the
 * parameters of Quarry.
 */
export function buildRequestAddress(listing: string, parameters: Parameters, nonce: string): string {
  return buildAddress(listing, [...listCustomerParameters(listing), ...parameters, `_nonce=${nonce}`]);
}

/**
 * Formats the address of a request for messages. Masks the values of the customer's own parameters, which can be
 * secrets, and omits `_nonce`.
 */
export function formatRequestForMessages(listing: string, parameters: Parameters): string {
  const masked = listCustomerParameters(listing).map((parameter) => parameter.replace(/=.*/s, '=…'));
  return `GET ${buildAddress(listing, [...masked, ...parameters])}`;
}

function listCustomerParameters(listing: string): Parameters {
  return new URL(listing).search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !RESERVED_PARAMETERS.has(getParameterName(parameter)));
}

function getParameterName(parameter: string): string {
  return [...new URLSearchParams(parameter).keys()][0] ?? '';
}

function buildAddress(listing: string, parameters: Parameters): string {
  const url = new URL(listing);
  return `${url.origin}${url.pathname}?${parameters.join('&')}`;
}
