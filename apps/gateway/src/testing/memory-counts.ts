import { RateLimiterMemory } from 'rate-limiter-flexible';
import { COUNTING, adaptLimiter } from '../rate-limit/adapt-limiter.js';
import { WINDOW_SECONDS, type RequestCounts } from '../rate-limit/request-counts.js';

/** Creates request counts in the memory of this process. */
export function createMemoryCounts(): RequestCounts {
  return adaptLimiter(new RateLimiterMemory({ ...COUNTING, duration: WINDOW_SECONDS }), () => Promise.resolve());
}
