import { parsePageUrl } from './parse-page-url.js';
import { isTrackingParameter } from './tracking-parameters.js';

const SESSION_IN_PATH = /;(?:jsessionid|phpsessid|sid)=[^/;]*/gi;
const ESCAPE = /%[0-9a-f]{2}/gi;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * Returns the normalized form of a URL, which identifies duplicates and is the document key of the page. It is never requested,
 * because a server may accept only the spelling that it published.
 *
 * Normalizes scheme, host, port, dot segments and percent-encoding (RFC 3986 section 6.2.2). Removes the fragment, tracking
 * parameters and session ids. Sorts the other query parameters by name, and keeps the order of equal names. Keeps everything
 * that can distinguish pages: the case of the path, a trailing slash, parameter values.
 *
 * @param url as `parsePageUrl` returns it
 */
export function normalizeUrl(url: string): string {
  const parsed = URL.parse(parsePageUrl(url) ?? url);
  if (parsed === null) return url;
  if (parsed.hostname.endsWith('.')) parsed.hostname = parsed.hostname.replace(/\.+$/, '');
  parsed.pathname = normalizeEscapes(parsed.pathname).replace(SESSION_IN_PATH, '');
  const query = normalizeQuery(parsed.search);
  // With its question mark, because the setter would otherwise remove a second one at the start of the query.
  parsed.search = query === '' ? '' : `?${query}`;
  return parsed.href;
}

function normalizeQuery(search: string): string {
  return normalizeEscapes(search.slice(1))
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

/**
 * Writes percent-encoding in capitals and decodes unreserved characters. Repeats, because decoding can create a new escape
 * (`%%37E`).
 */
export function normalizeEscapes(text: string): string {
  const next = text.replace(ESCAPE, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
  return next === text ? text : normalizeEscapes(next);
}
