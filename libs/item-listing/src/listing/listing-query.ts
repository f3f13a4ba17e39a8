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
export function parametersOf({ take, skip, modifiedAfter }: ListingQuery): Parameters {
  const after = modifiedAfter === '' ? EARLIEST_DATE : modifiedAfter;
  return [`take=${take}`, `skip=${skip}`, 'order=ASC', 'order_by=date_modified,id', `modified_after=${after}`];
}

/** Builds the address of a request: the customer's own parameters unchanged, then those of Quarry. */
export function buildRequestAddress(listing: string, parameters: Parameters, nonce: string): string {
  return buildAddress(listing, [...customerParameters(listing), ...parameters, `_nonce=${nonce}`]);
}

/**
 * Formats a request for messages. Hides the values of the customer's own parameters, which can be secrets, and omits `_nonce`.
 */
export function formatRequest(listing: string, parameters: Parameters): string {
  const masked = customerParameters(listing).map((parameter) => parameter.replace(/=.*$/s, '=…'));
  return `GET ${buildAddress(listing, [...masked, ...parameters])}`;
}

function customerParameters(listing: string): Parameters {
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
