import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { RequestCounts } from './request-counts.js';

/** What a limiter needs to count alone: who is over the limit is decided in the gateway. */
export const COUNTING = { points: Number.MAX_SAFE_INTEGER, keyPrefix: 'requests' } as const;

/** Counts with a limiter of rate-limiter-flexible. */
export function countsOf(limiter: RateLimiterAbstract, close: () => Promise<void>): RequestCounts {
  return {
    add: async (keyId, requests) => {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(keyId, requests);
      return { requests: consumedPoints, msLeft: msBeforeNext };
    },
    close,
  };
}
