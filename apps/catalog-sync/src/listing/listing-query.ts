/** Which items a request asks for, always ascending by date and id. */
export interface ListingQuery {
  readonly take: number;
  readonly skip: number;
  /** Items modified at this date or before are left out; '' asks for all. */
  readonly modifiedAfter: string;
}

/** What the contract calls our own parameters: a customer's address may hold others, which stay as they are. */
const OURS: ReadonlySet<string> = new Set(['take', 'skip', 'order', 'order_by', 'modified_after', '_nonce']);

/** The address of a request: the customer's own parameters to the letter, then ours. */
export function addressOf(listing: string, query: ListingQuery, nonce: string): string {
  return withParameters(listing, [...keptParameters(listing), ...ourParameters(query), `_nonce=${nonce}`]);
}

/** The same for people: without the values of the customer's own parameters, which can be secrets, and without `_nonce`. */
export function shownRequest(listing: string, query: ListingQuery): string {
  const hidden = keptParameters(listing).map((parameter) => parameter.replace(/=.*$/s, '=…'));
  return `GET ${withParameters(listing, [...hidden, ...ourParameters(query)])}`;
}

function ourParameters({ take, skip, modifiedAfter }: ListingQuery): readonly string[] {
  const parameters = [`take=${take}`, `skip=${skip}`, 'order=ASC', 'order_by=date_modified,id'];
  return modifiedAfter === '' ? parameters : [...parameters, `modified_after=${modifiedAfter}`];
}

function keptParameters(listing: string): readonly string[] {
  return new URL(listing).search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !OURS.has(nameOf(parameter)));
}

function nameOf(parameter: string): string {
  return [...new URLSearchParams(parameter).keys()][0] ?? '';
}

function withParameters(listing: string, parameters: readonly string[]): string {
  const url = new URL(listing);
  return `${url.origin}${url.pathname}?${parameters.join('&')}`;
}
