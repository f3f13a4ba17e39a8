import { isIP } from 'node:net';
import type { AddressRule } from './address-rules.js';
import type { Resolver } from './dns-resolver.js';
import { FetchFailed, FetchRefused } from './fetch-error.js';
import { checkHost, isLocalhost } from './host-rules.js';

/**
 * Returns all addresses of a host if each of them is public. A single private address rejects the name: an honest site
 * does not mix private and public addresses, and an attacker would otherwise succeed by chance.
 *
 * @throws FetchRefused `address_not_public`; FetchFailed `dns_failed`
 */
export async function resolvePublicAddresses(
  host: string,
  resolve: Resolver,
  objectionTo: AddressRule,
  signal: AbortSignal,
): Promise<readonly string[]> {
  checkHost(host, objectionTo);
  if (isIP(host) !== 0) return [host];
  const addresses = isLocalhost(host) ? ['127.0.0.1', '::1'] : await lookUp(host, resolve, signal);
  for (const address of addresses) {
    const objection = objectionTo(address);
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

async function lookUp(host: string, resolve: Resolver, signal: AbortSignal): Promise<readonly string[]> {
  const addresses = await resolve(host, signal).catch((cause: unknown) => {
    throw new FetchFailed(
      'dns_failed',
      `expected '${host}' to have an address, found that the DNS query failed${formatCode(cause)}`,
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

function formatCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
}
