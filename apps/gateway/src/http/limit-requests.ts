import type { RequestHandler } from 'express';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { WINDOW_SECONDS } from '../rate-limit/request-counts.js';
import { callerOf } from './caller-of.js';

/**
 * Limits the requests of each key. Every response reports the state of the limit in the headers of early versions of
 * draft-ietf-httpapi-ratelimit-headers, which clients support: one header for each value.
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
        `Each API key is limited to ${limit} requests per minute, and this key has reached the limit. Retry in ${resetSeconds} s.`,
        { headers: { 'Retry-After': String(resetSeconds) } },
      );
    }
    next();
  };
}
