import { isIP } from 'node:net';
import type { AddressRule } from './address-rules.js';
import { FetchRefused } from './fetch-error.js';

/**
 * Lists suffixes that no public name has: reserved by RFC 6761, 6762 (with appendix G), 7686, 8375, 9476 and by ICANN. They are
 * rejected before DNS, so that messages do not reveal the existing internal names.
 */
const LOCAL_ENDINGS: ReadonlySet<string> = new Set(
  'localhost local localdomain internal intranet private corp home lan home.arpa onion alt invalid'.split(' '),
);

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/**
 * Returns true for `localhost` and its subdomains, which are this machine whatever DNS returns (RFC 6761 section 6.3).
 */
export const isLocalhost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/**
 * Checks a host without DNS: an IP address by the address rule, a name by its suffix. `host` is normalized as by the
 * URL parser (lower case, punycode, IPv4 in four decimals), with IPv6 without brackets.
 *
 * @throws FetchRefused `address_not_public` or `invalid_url`
 */
export function checkHost(host: string, objectionTo: AddressRule): void {
  if (isIP(host) !== 0) {
    requireNoObjection(host, objectionTo(host));
    return;
  }
  if (!HOST_NAME.test(host)) {
    throw new FetchRefused(
      'invalid_url',
      `expected a host name of letters, digits, '-' and '.', found '${truncateHost(host)}'`,
    );
  }
  // If tests may use loopback addresses, they may also use the name localhost.
  if (isLocalhost(host) && objectionTo('127.0.0.1') === undefined) return;
  if (isLocalName(host)) {
    throw new FetchRefused(
      'address_not_public',
      `expected the name of a public host, found '${host}', a name of a private network`,
    );
  }
}

/** Rejects an IP address in a URL. @throws FetchRefused `address_not_public` if there is an objection to it */
function requireNoObjection(address: string, objection: string | undefined): void {
  if (objection === undefined) return;
  throw new FetchRefused('address_not_public', `expected a public address, found ${address}, ${objection}`, {
    address,
  });
}

function isLocalName(host: string): boolean {
  const labels = host.split('.');
  return labels.length === 1 || [-1, -2].some((from) => LOCAL_ENDINGS.has(labels.slice(from).join('.')));
}

const truncateHost = (host: string): string => (host.length > 100 ? `${host.slice(0, 100)}…` : host);
