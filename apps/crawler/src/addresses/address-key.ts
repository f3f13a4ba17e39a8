import { readAddress } from './read-address.js';
import { isTrackingParameter } from './tracking-parameters.js';

const SESSION_IN_PATH = /;(?:jsessionid|phpsessid|sid)=[^/;]*/gi;
const ESCAPE = /%[0-9a-f]{2}/gi;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * Returns one spelling for all addresses of a page. It recognises duplicates and is the document key of the page; it is never
 * requested, because a server may answer only the spelling that it gave out.
 *
 * Lower-case scheme and host, no default port, no dot segments, no final dot of the host; no fragment; escapes in capitals,
 * and none for characters that need none (RFC 3986 section 6.2.2); no tracking parameters and session ids; the other query
 * parameters by name, those of one name in their order. What may mean another page stays: path case, a final slash, values.
 *
 * @param address as `readAddress` returns it
 */
export function addressKey(address: string): string {
  const url = URL.parse(readAddress(address) ?? address);
  if (url === null) return address;
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '');
  url.pathname = canonicalEscapes(url.pathname).replace(SESSION_IN_PATH, '');
  // With its question mark: of a query that begins with another one, the setter would take that away.
  url.search = withMark(orderedQuery(url.search));
  return url.href;
}

const withMark = (query: string): string => (query === '' ? '' : `?${query}`);

function orderedQuery(search: string): string {
  return canonicalEscapes(search.slice(1))
    .split('&')
    .map((parameter) => ({ parameter, name: parameter.split('=', 1)[0] ?? '' }))
    .filter(({ parameter }) => parameter !== '' && !isTrackingParameter(parameter))
    .sort((a, b) => compare(a.name, b.name))
    .map(({ parameter }) => parameter)
    .join('&');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Escapes in capitals, and none for unreserved characters. Undoing one can complete another (`%%37E`), hence again. */
export function canonicalEscapes(text: string): string {
  const next = text.replace(ESCAPE, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
  return next === text ? text : canonicalEscapes(next);
}
