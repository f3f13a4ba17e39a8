import { isIPv6 } from 'node:net';
import { Problem } from '@quarry/service-kit';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { problem } from '../problems.js';

/** Counts the requests of each address that had no valid key. */
export interface Refusals {
  /**
   * Counts a refusal.
   *
   * @param address of the client, as the trusted proxies report it
   * @returns what the client is refused with: `refusal`, or 429 when its address has had too many
   */
  count(address: string | undefined, refusal: unknown): Promise<unknown>;
}

const WINDOW_SECONDS = 60;

/**
 * Counts in this process, so that requests without a key cost no store anything. Only refusals count: a valid key is never refused
 * for what others at its address do.
 *
 * @param limit refusals per minute and address; 0: no limit
 */
export function createRefusals(limit: number): Refusals {
  if (limit === 0) return { count: (_address, refusal) => Promise.resolve(refusal) };
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
  return {
    count: async (address, refusal) => {
      if (!(refusal instanceof Problem) || refusal.code !== 'unauthorized') return refusal;
      try {
        await limiter.consume(networkOf(address ?? 'unknown'));
        return refusal;
      } catch (over) {
        if (!(over instanceof RateLimiterRes)) throw over;
        return tooMany(limit, Math.max(1, Math.ceil(over.msBeforeNext / 1_000)));
      }
    },
  };
}

function tooMany(limit: number, seconds: number): Problem {
  return problem(
    'too_many_refusals',
    `An address may make ${limit} requests a minute without a valid key; this one may try again in ${seconds} s.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

/** A client has all addresses of an IPv6 network of 64 bits: RFC 4291, section 2.5.4. */
function networkOf(address: string): string {
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
