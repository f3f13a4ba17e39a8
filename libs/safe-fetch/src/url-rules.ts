import type { AddressRule } from './address-rules.js';
import { BLOCKED_PORTS } from './blocked-ports.js';
import { FetchRefused } from './fetch-error.js';
import { checkHost } from './host-rules.js';

/**
 * Parses an untrusted URL and checks it without DNS. Returns the URL to fetch: without a fragment, and without the
 * trailing dot of a fully qualified name.
 *
 * @param base is the base of a relative URL, for redirects
 * @throws FetchRefused `invalid_url`, `scheme_not_allowed`, `credentials_in_url`, `port_not_allowed`,
 * `address_not_public`
 */
export function parseUrl(text: string, objectionTo: AddressRule, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  // The message does not contain the text, which may include a password.
  if (url === null) throw new FetchRefused('invalid_url', 'expected a complete http or https URL, found no valid URL');
  checkScheme(url);
  if (url.username !== '' || url.password !== '') {
    throw new FetchRefused(
      'credentials_in_url',
      'expected a URL without user name and password, found them before the @',
    );
  }
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  url.hash = '';
  checkHost(getHost(url), objectionTo);
  checkPort(url);
  return url;
}

/** Returns the host as sockets and DNS need it: IPv6 without brackets. */
export const getHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** Formats a URL for messages, without its query, which may contain tokens. */
export const formatUrl = (url: URL): string => {
  const text = `${url.origin}${url.pathname}`;
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

function checkScheme(url: URL): void {
  if (url.protocol === 'http:' || url.protocol === 'https:') return;
  throw new FetchRefused('scheme_not_allowed', `expected an http or https URL, found '${url.protocol.slice(0, 40)}'`);
}

function checkPort(url: URL): void {
  if (url.port === '' || !BLOCKED_PORTS.has(Number(url.port))) return;
  throw new FetchRefused(
    'port_not_allowed',
    `expected a port for HTTP, found ${url.port}, the port of another service`,
  );
}
