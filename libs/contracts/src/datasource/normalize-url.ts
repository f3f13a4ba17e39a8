const SESSION_IN_PATH = /;(?:jsessionid|phpsessid|sid)=[^/;]*/gi;
const ESCAPE = /^%[0-9a-f]{2}$/i;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * Returns the normalized form of a URL, which identifies duplicates and is the document key of the page. The normalized
 * form is never requested, because a server may accept only the spelling that it published.
 *
 * Normalizes scheme, host, port, dot segments and percent-encoding (RFC 3986 section 6.2.2). Removes the fragment,
 * tracking parameters and session ids. Sorts the other query parameters by name, and keeps the order of parameters with
 * equal names. Keeps everything that can distinguish pages: the case of the path, a trailing slash, parameter values.
 *
 * @param url as `parsePageUrl` returns it
 */
export function normalizeUrl(url: string): string {
  const parsed = URL.parse(parsePageUrl(url) ?? url);
  if (parsed === null) return url;
  if (parsed.hostname.endsWith('.')) parsed.hostname = parsed.hostname.replace(/(?<!\.)\.+$/, '');
  parsed.pathname = normalizePercentEscapes(parsed.pathname).replace(SESSION_IN_PATH, '');
  const query = normalizeQuery(parsed.search);
  // The setter of `search` removes one leading question mark. The added question mark protects a query that itself
  // starts with one.
  parsed.search = query === '' ? '' : `?${query}`;
  return parsed.href;
}

function normalizeQuery(search: string): string {
  return normalizePercentEscapes(search.slice(1))
    .split('&')
    .map((parameter) => ({ parameter, name: parameter.split('=', 1)[0] ?? '' }))
    .filter(({ parameter }) => parameter !== '' && !isTrackingParameter(parameter))
    .sort((a, b) => compareParameterNames(a.name, b.name))
    .map(({ parameter }) => parameter)
    .join('&');
}

function compareParameterNames(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Writes the hexadecimal digits of percent-encoding in capitals, and decodes characters that need no encoding. Also
 * decodes an escape that a decoded character completes: `%%37E` becomes `%7E` and then `~`.
 */
export function normalizePercentEscapes(text: string): string {
  if (!text.includes('%')) return text;
  const characters: string[] = [];
  for (const next of text) {
    characters.push(next);
    // A decoded character can complete only the escape that ends with it.
    while (replaceLastEscape(characters));
  }
  return characters.join('');
}

/**
 * Decodes the escape at the end of a list of characters, or capitalizes the digits of the escape.
 *
 * @returns true if the escape was decoded
 */
function replaceLastEscape(characters: string[]): boolean {
  const escape = characters.at(-3) === '%' ? characters.slice(-3).join('') : '';
  if (!ESCAPE.test(escape)) return false;
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  const isDecoded = UNRESERVED.test(character);
  characters.splice(-3, 3, ...Array.from(isDecoded ? character : escape.toUpperCase()));
  return isDecoded;
}

/** Maximum length of a URL in characters, as in browsers and sitemaps. Crawler traps and errors create longer URLs. */
const MAX_LENGTH = 2_048;

/**
 * Parses the URL of a web page. Returns the URL to request: exactly as found, but without the fragment. Relative URLs
 * are resolved and encoded according to the URL Standard. `normalizeUrl` unifies different spellings of one URL.
 *
 * @param base the base of a relative URL
 * @returns undefined for text that is no URL, a scheme other than HTTP and HTTPS, a URL with credentials, and a URL
 * that is too long
 */
export function parsePageUrl(text: string, base?: string): string | undefined {
  const url = URL.parse(text.trim(), base);
  if (url === null || !isWebUrlWithoutCredentials(url) || /^\.*$/.test(url.hostname)) return undefined;
  url.hash = '';
  return url.href.length > MAX_LENGTH ? undefined : url.href;
}

function isWebUrlWithoutCredentials(url: URL): boolean {
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '';
}

/**
 * Lists the names of query parameters, in lower case, that identify a visitor, a campaign or a session. These
 * parameters do not change the content of the page.
 */
const TRACKING = new Set(
  (
    'gclid gclsrc dclid wbraid gbraid gad_source gad_campaignid srsltid _ga _gl fbclid msclkid yclid ysclid twclid ttclid ' +
    'li_fat_id igshid igsh mc_cid mc_eid mkt_tok _hsenc _hsmi vero_id vero_conv oly_anon_id oly_enc_id s_cid wickedid ' +
    'rb_clickid epik _kx _openstat phpsessid jsessionid aspsessionid sessionid session_id sessid oscsid zenid cfid cftoken'
  ).split(' '),
);
const TRACKING_PREFIXES = ['utm_', 'hsa_', 'pk_', 'mtm_', 'piwik_', 'matomo_'];

/** Matches a `sid` parameter with the session id of a forum. A shorter `sid` can be the id of an article. */
const SESSION = /^sid=[0-9a-z]{26,}$/i;

/** Returns whether a query parameter, such as `name=value`, only identifies a visitor, campaign or session. */
function isTrackingParameter(parameter: string): boolean {
  const lower = parameter.split('=', 1).join().toLowerCase();
  const hasTrackingName = TRACKING.has(lower) || TRACKING_PREFIXES.some((prefix) => lower.startsWith(prefix));
  return hasTrackingName || SESSION.test(parameter);
}
