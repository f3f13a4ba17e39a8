import { Resolver as DnsClient } from 'node:dns/promises';

/**
 * Gives all IP addresses of a name, in the order in which they should be tried.
 * May give none; throws when the name cannot be looked up. Gives up when the signal fires.
 */
export type Resolver = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const ATTEMPT_MS = 3_000;

/**
 * Asks the configured DNS servers for A and AAAA records of exactly this name.
 * Not the system's own look-up, which also reads the hosts file, adds search domains (inside a cluster: internal names)
 * and keeps one of four threads busy for as long as a hostile name server likes.
 */
export function dnsResolver(servers?: readonly string[]): Resolver {
  return async (host, signal) => {
    const client = new DnsClient({ timeout: ATTEMPT_MS, tries: 2 });
    if (servers !== undefined) client.setServers(servers);
    const cancel = (): void => {
      client.cancel();
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const [v4, v6] = await Promise.allSettled([client.resolve4(host), client.resolve6(host)]);
      if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
      return interleave(v4.status === 'fulfilled' ? v4.value : [], v6.status === 'fulfilled' ? v6.value : []);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

// IPv4 first: where a server's IPv6 is broken, it is broken silently, and each connection would lose the head start.
function interleave(v4: readonly string[], v6: readonly string[]): readonly string[] {
  const turns = Array.from({ length: Math.max(v4.length, v6.length) }, (_, turn) => [v4[turn], v6[turn]]);
  return turns.flat().filter((address) => address !== undefined);
}
