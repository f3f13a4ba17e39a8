import { Resolver as DnsClient } from 'node:dns/promises';

/**
 * Returns all IP addresses of a name, in the order of preference. The list may be empty. Throws if the name cannot be
 * resolved. Aborts when the signal fires.
 */
export type Resolver = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const ATTEMPT_MS = 3_000;

/**
 * Creates a resolver that queries the configured DNS servers for A and AAAA records of exactly the given name. The
 * resolver of the system also reads the hosts file, adds search domains (internal names in a cluster), and lets a slow
 * name server block one of four threads.
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
      return interleaveAddresses(v4.status === 'fulfilled' ? v4.value : [], v6.status === 'fulfilled' ? v6.value : []);
    } finally {
      signal.removeEventListener('abort', cancelQueries);
    }
  };
}

// IPv4 first: broken IPv6 often fails by timeout, which would delay every connection.
function interleaveAddresses(v4: readonly string[], v6: readonly string[]): readonly string[] {
  const turns = Array.from({ length: Math.max(v4.length, v6.length) }, (_, turn) => [v4[turn], v6[turn]]);
  return turns.flat().filter((address) => address !== undefined);
}
