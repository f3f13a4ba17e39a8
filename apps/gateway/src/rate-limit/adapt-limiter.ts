import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { RequestCounts } from './request-counts.js';

/** Options of a limiter that counts requests and never refuses one. The gateway compares the counts with the limit. */
export const COUNTING = { points: Number.MAX_SAFE_INTEGER, keyPrefix: 'requests' } as const;

/** Adapts a limiter of the library rate-limiter-flexible to `RequestCounts`. */
export function adaptLimiter(limiter: RateLimiterAbstract, close: () => Promise<void>): RequestCounts {
  return {
    add: async (keyId, requests) => {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(keyId, requests);
      return { requests: consumedPoints, msLeft: msBeforeNext };
    },
    close,
  };
}
