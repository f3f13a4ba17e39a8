import { isIP } from 'node:net';
import { Resolver as DnsClient } from 'node:dns/promises';
import type { AddressRule } from './address-rules.js';
import { FetchFailed, FetchRefused } from './fetch-error.js';
import { requireAllowedHost, isLocalhostName } from './url-rules.js';

/**
 * Returns all addresses of a host if each of them is public. Rejects a host with even one address that is not public:
 * honest sites do not mix private and public addresses, and a connection could otherwise reach the private one.
 *
 * @throws FetchRefused as `requireAllowedHost`, or `address_not_public`; FetchFailed `dns_failed` if the query fails or
 * the host has no address
 */
export async function resolvePublicAddresses(
  host: string,
  resolve: Resolver,
  findObjection: AddressRule,
  signal: AbortSignal,
): Promise<readonly string[]> {
  requireAllowedHost(host, findObjection);
  if (isIP(host) !== 0) return [host];
  const addresses = isLocalhostName(host) ? ['127.0.0.1', '::1'] : await resolveHostOrFail(host, resolve, signal);
  for (const address of addresses) {
    const objection = findObjection(address);
    if (objection !== undefined) {
      throw new FetchRefused(
        'address_not_public',
        `expected '${host}' to have public addresses only, found that it has ${objection}`,
        { address },
      );
    }
  }
  return addresses;
}

/** Resolves a host name. @throws FetchFailed `dns_failed` if the query fails or the host has no address */
async function resolveHostOrFail(host: string, resolve: Resolver, signal: AbortSignal): Promise<readonly string[]> {
  const addresses = await resolve(host, signal).catch((cause: unknown) => {
    throw new FetchFailed(
      'dns_failed',
      `expected '${host}' to have an address, found that the DNS query failed${formatErrorCode(cause)}`,
      {
        cause,
      },
    );
  });
  if (addresses.length === 0) {
    throw new FetchFailed('dns_failed', `expected '${host}' to have an address, found none`);
  }
  return addresses;
}

function formatErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
}

/**
 * Returns all IP addresses of a name, preferred addresses first. The list may be empty. Rejects when the signal aborts.
 *
 * @throws Error if the name cannot be resolved
 */
export type Resolver = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const ATTEMPT_MS = 3_000;

/**
 * Creates a resolver that queries DNS servers for the A and AAAA records of exactly the given name. Does not use the
 * resolver of the system, which also reads the hosts file and adds search domains (internal names in a cluster). That
 * resolver also blocks one of Node's four threads while a name server is slow.
 *
 * @param servers addresses of DNS servers; default: the DNS servers of the system
 */
export function createDnsResolver(servers?: readonly string[]): Resolver {
  return async (host, signal) => {
    const client = new DnsClient({ timeout: ATTEMPT_MS, tries: 2 });
    if (servers !== undefined) client.setServers(servers);
    const cancelQueries = (): void => {
      client.cancel();
    };
    signal.addEventListener('abort', cancelQueries, { once: true });
    try {
      const [v4, v6] = await Promise.allSettled([client.resolve4(host), client.resolve6(host)]);
      if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
      return interleaveAddressFamilies(
        v4.status === 'fulfilled' ? v4.value : [],
        v6.status === 'fulfilled' ? v6.value : [],
      );
    } finally {
      signal.removeEventListener('abort', cancelQueries);
    }
  };
}

// IPv4 is first, because IPv6 is often broken and then delays each connection by a timeout.
function interleaveAddressFamilies(v4: readonly string[], v6: readonly string[]): readonly string[] {
  const turns = Array.from({ length: Math.max(v4.length, v6.length) }, (_, turn) => [v4[turn], v6[turn]]);
  return turns.flat().filter((address) => address !== undefined);
}
