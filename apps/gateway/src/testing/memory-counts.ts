import { RateLimiterMemory } from 'rate-limiter-flexible';
import { COUNTING, countsOf } from '../rate-limit/counts-of.js';
import { WINDOW_SECONDS, type RequestCounts } from '../rate-limit/request-counts.js';

/** Counts in this process alone. */
export function memoryCounts(): RequestCounts {
  return countsOf(new RateLimiterMemory({ ...COUNTING, duration: WINDOW_SECONDS }), () => Promise.resolve());
}
