/** Which items a request asks for, always ascending by date and id. */
export interface ListingQuery {
  readonly take: number;
  readonly skip: number;
  /** Items modified at this date or before are left out; '' asks for all. */
  readonly modifiedAfter: string;
}

/** The date that asks for every item: the contract requires `modified_after` in each request. */
const EVERYTHING_AFTER = '1970-01-01T00:00:00.000Z';

/** What the contract calls our own parameters: a customer's address may hold others, which stay as they are. */
const OURS: ReadonlySet<string> = new Set(['take', 'skip', 'order', 'order_by', 'modified_after', '_nonce']);

/** The parameters of a request, as they stand in its address. */
export type Parameters = readonly string[];

/** Returns the parameters that a query sends: each that the contract lists, but for `_nonce`. */
export function parametersOf({ take, skip, modifiedAfter }: ListingQuery): Parameters {
  const after = modifiedAfter === '' ? EVERYTHING_AFTER : modifiedAfter;
  return [`take=${take}`, `skip=${skip}`, 'order=ASC', 'order_by=date_modified,id', `modified_after=${after}`];
}

/** The address of a request: the customer's own parameters to the letter, then ours. */
export function addressOf(listing: string, parameters: Parameters, nonce: string): string {
  return withParameters(listing, [...keptParameters(listing), ...parameters, `_nonce=${nonce}`]);
}

/** The same for people: without the values of the customer's own parameters, which can be secrets, and without `_nonce`. */
export function shownRequest(listing: string, parameters: Parameters): string {
  const hidden = keptParameters(listing).map((parameter) => parameter.replace(/=.*$/s, '=…'));
  return `GET ${withParameters(listing, [...hidden, ...parameters])}`;
}

function keptParameters(listing: string): Parameters {
  return new URL(listing).search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !OURS.has(nameOf(parameter)));
}

function nameOf(parameter: string): string {
  return [...new URLSearchParams(parameter).keys()][0] ?? '';
}

function withParameters(listing: string, parameters: Parameters): string {
  const url = new URL(listing);
  return `${url.origin}${url.pathname}?${parameters.join('&')}`;
}
