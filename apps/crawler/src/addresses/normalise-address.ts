import { isTrackingParameter } from './tracking-parameters.js';

/** Longer addresses are made by traps and by mistakes; browsers and sitemaps draw the line at 2,048 too. */
const MAX_LENGTH = 2_048;

const SESSION_IN_PATH = /;(?:jsessionid|phpsessid|sid)=[^/;]*/gi;
const ESCAPE = /%[0-9a-f]{2}/gi;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * One spelling for each page, so that it is fetched and stored once; it is the page's document key.
 *
 * Lower-case scheme and host, no default port, no dot segments, no final dot of the host; no fragment; escapes in capitals,
 * and none for characters that need none (RFC 3986 section 6.2.2); no tracking parameters and session ids; the other query
 * parameters by name, those of one name in their order. What may mean another page stays: path case, a final slash, values.
 *
 * @param base what a relative address is relative to
 * @returns undefined for what is not the address of a web page: another scheme, a user name or password, too long, no URL
 */
export function normaliseAddress(text: string, base?: string): string | undefined {
  const url = URL.parse(text.trim(), base);
  if (url === null || !isWeb(url)) return undefined;
  url.hash = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '');
  url.pathname = canonicalEscapes(url.pathname).replace(SESSION_IN_PATH, '');
  // With its question mark: of a query that begins with another one, the setter would take that away.
  url.search = withMark(orderedQuery(url.search));
  return url.href.length > MAX_LENGTH || url.hostname === '' ? undefined : url.href;
}

function isWeb(url: URL): boolean {
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '';
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
