import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createRequestCounts, COUNTING, type RequestCounts, WINDOW_SECONDS } from '../rate-limit/request-counts.js';

/** Creates request counts that are stored in the memory of this process. */
export function createMemoryCounts(): RequestCounts {
  return createRequestCounts(new RateLimiterMemory({ ...COUNTING, duration: WINDOW_SECONDS }), () => Promise.resolve());
}
