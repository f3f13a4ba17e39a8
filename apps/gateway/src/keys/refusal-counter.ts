import { isIPv6 } from 'node:net';
import { Problem } from '@quarry/service-kit';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { problem } from '../problems.js';

/** Counts, for each client address, the requests that were refused because they contained no valid API key. */
export interface RefusalCounter {
  /**
   * Counts a refused request.
   *
   * @param address the client's IP address, as the trusted proxies report it
   * @param refusal the error of the request; only the problem `unauthorized` is counted
   * @returns the error for the client: `refusal`, or a Problem 429 after too many refusals
   */
  countRefusal(address: string | undefined, refusal: unknown): Promise<unknown>;
}

const WINDOW_SECONDS = 60;

/**
 * Creates a counter in the memory of this process, so that counting does not access the database. A request with a
 * valid key is never refused, however many requests of other clients at the same address were refused.
 *
 * @param limit maximum number of refused requests per minute and address; 0: no limit
 */
export function createRefusalCounter(limit: number): RefusalCounter {
  if (limit === 0) return { countRefusal: (_address, refusal) => Promise.resolve(refusal) };
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
  return {
    countRefusal: async (address, refusal) => {
      if (!(refusal instanceof Problem) || refusal.code !== 'unauthorized') return refusal;
      try {
        await limiter.consume(getNetworkOfAddress(address ?? 'unknown'));
        return refusal;
      } catch (exceeded) {
        if (!(exceeded instanceof RateLimiterRes)) throw exceeded;
        return createTooManyRefusalsProblem(limit, Math.max(1, Math.ceil(exceeded.msBeforeNext / 1_000)));
      }
    },
  };
}

function createTooManyRefusalsProblem(limit: number, seconds: number): Problem {
  return problem(
    'too_many_refusals',
    `Each address is limited to ${limit} requests without a valid key per minute, and this address has reached the limit. Retry in ${seconds} s.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

/**
 * Returns the network of an address, whose requests are counted together. For an IPv6 address, this is its first 64
 * bits, because a client can use all addresses of such a network (RFC 4291, section 2.5.4). An IPv4 address is returned
 * unchanged.
 */
function getNetworkOfAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 }, () => '0');
  return [...groups, ...zeros]
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16))
    .join(':');
}
