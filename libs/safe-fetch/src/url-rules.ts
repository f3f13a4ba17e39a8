import { isIP } from 'node:net';
import type { AddressRule } from './address-rules.js';
import { FetchRefused } from './fetch-error.js';

/**
 * Parses an untrusted URL and checks it without a DNS query. Returns the URL to fetch, without its fragment and without
 * a dot at the end of the host name.
 *
 * @param base after a redirect: the redirecting URL, against which `text` is resolved if it is relative
 * @throws FetchRefused `invalid_url`, `scheme_not_allowed`, `credentials_in_url`, `port_not_allowed`,
 * `address_not_public`
 */
export function parseUrl(text: string, findObjection: AddressRule, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  // The message does not contain the text, which may include a password.
  if (url === null) throw new FetchRefused('invalid_url', 'expected a complete http or https URL, found no valid URL');
  requireHttpScheme(url);
  if (url.username !== '' || url.password !== '') {
    throw new FetchRefused(
      'credentials_in_url',
      'expected a URL without user name and password, found them before the @',
    );
  }
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  url.hash = '';
  requireAllowedHost(getHostWithoutBrackets(url), findObjection);
  requireAllowedPort(url);
  return url;
}

/** Returns the host of a URL in the form for sockets and DNS: an IPv6 address has no brackets. */
export const getHostWithoutBrackets = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** Formats a URL for messages: truncated, and without its query, which may contain tokens. */
export const formatUrl = (url: URL): string => {
  const text = `${url.origin}${url.pathname}`;
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

function requireHttpScheme(url: URL): void {
  if (url.protocol === 'http:' || url.protocol === 'https:') return;
  throw new FetchRefused('scheme_not_allowed', `expected an http or https URL, found '${url.protocol.slice(0, 40)}'`);
}

function requireAllowedPort(url: URL): void {
  if (url.port === '' || !BLOCKED_PORTS.has(Number(url.port))) return;
  throw new FetchRefused(
    'port_not_allowed',
    `expected a port for HTTP, found ${url.port}, which is the port of another service`,
  );
}

/**
 * Lists suffixes that no public name has, because RFC 6761, 6762 (with appendix G), 7686, 8375, 9476 and ICANN reserve
 * them. Names with such a suffix are rejected before a DNS query, because the error message of a query could reveal
 * which internal names exist.
 */
const LOCAL_ENDINGS: ReadonlySet<string> = new Set(
  'localhost local localdomain internal intranet private corp home lan home.arpa onion alt invalid'.split(' '),
);

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/**
 * Returns true for `localhost` and its subdomains, which always refer to this machine (RFC 6761 section 6.3).
 */
export const isLocalhostName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/**
 * Checks a host without a DNS query: an IP address by the address rule, a name by its suffix.
 *
 * @param host normalized by the URL parser (lower case, punycode, IPv4 as four decimal numbers), IPv6 without brackets
 *
 * @throws FetchRefused `address_not_public` if the host is not public; `invalid_url` if the name is not a host name
 */
export function requireAllowedHost(host: string, findObjection: AddressRule): void {
  if (isIP(host) !== 0) {
    throwIfObjection(host, findObjection(host));
    return;
  }
  if (!HOST_NAME.test(host)) {
    throw new FetchRefused(
      'invalid_url',
      `expected a host name of letters, digits, '-' and '.', found '${truncateHost(host)}'`,
    );
  }
  // A rule that accepts loopback addresses, as in tests, also allows the name localhost.
  if (isLocalhostName(host) && findObjection('127.0.0.1') === undefined) return;
  if (isLocalName(host)) {
    throw new FetchRefused(
      'address_not_public',
      `expected the name of a public host, found '${host}', a name of a private network`,
    );
  }
}

/** Throws an error if there is an objection to an IP address. @throws FetchRefused `address_not_public` */
function throwIfObjection(address: string, objection: string | undefined): void {
  if (objection === undefined) return;
  throw new FetchRefused('address_not_public', `expected a public address, found ${address}, ${objection}`, {
    address,
  });
}

/** Returns true for a name without a dot, and for a name with a suffix in `LOCAL_ENDINGS`. */
function isLocalName(host: string): boolean {
  const labels = host.split('.');
  return labels.length === 1 || [-1, -2].some((from) => LOCAL_ENDINGS.has(labels.slice(from).join('.')));
}

const truncateHost = (host: string): string => (host.length > 100 ? `${host.slice(0, 100)}…` : host);

/**
 * Lists the ports of well-known services other than HTTP. Requests to them are rejected, because a mail or chat server,
 * for example, can interpret a request as commands. Browsers block the same ports (Fetch standard, "port blocking").
 * All other ports are allowed.
 */
export const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
