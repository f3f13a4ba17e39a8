import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createCountsFromLimiter, COUNTING, type RequestCounts, WINDOW_SECONDS } from '../rate-limit/request-counts.js';

/** Creates request counts in the memory of this process. */
export function createMemoryCounts(): RequestCounts {
  return createCountsFromLimiter(new RateLimiterMemory({ ...COUNTING, duration: WINDOW_SECONDS }), () =>
    Promise.resolve(),
  );
}
