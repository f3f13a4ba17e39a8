import { problem } from '../problems.js';
import type { Admission } from './rate-limiter.js';

/** Refuses a request that exceeds the rate limit of its key. @throws Problem 429 */
export function requireAdmission({ admitted, limit, resetSeconds }: Admission): void {
  if (admitted) return;
  throw problem(
    'rate_limited',
    `Each API key is limited to ${limit} requests per minute, and this key has reached the limit. Retry in ${resetSeconds} s.`,
    { headers: { 'Retry-After': String(resetSeconds) } },
  );
}
