import type { RequestHandler } from 'express';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { WINDOW_SECONDS } from '../rate-limit/request-counts.js';
import { callerOf } from './caller-of.js';

/**
 * Lets on a key's requests up to its limit, and tells each answer how the key stands: in the headers of
 * draft-ietf-httpapi-ratelimit-headers as clients read them today, one header a value.
 */
export function limitRequests({ rateLimiter }: Pick<Gateway, 'rateLimiter'>): RequestHandler {
  return (_request, response, next) => {
    if (rateLimiter === undefined) {
      next();
      return;
    }
    const { admitted, limit, remaining, resetSeconds } = rateLimiter.admit(callerOf(response).keyId);
    response.setHeader('RateLimit-Policy', `${limit};w=${WINDOW_SECONDS}`);
    response.setHeader('RateLimit-Limit', String(limit));
    response.setHeader('RateLimit-Remaining', String(remaining));
    response.setHeader('RateLimit-Reset', String(resetSeconds));
    if (!admitted) {
      throw problem(
        'rate_limited',
        `A key may make ${limit} requests a minute, and this one has made them; it may ask again in ${resetSeconds} s.`,
        { headers: { 'Retry-After': String(resetSeconds) } },
      );
    }
    next();
  };
}
