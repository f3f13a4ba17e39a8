import type { RequestHandler } from 'express';

const EXPOSED =
  'X-Request-Id, Deprecation, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Quarry-Notes, Idempotency-Replayed';
const DAY_SECONDS = 86_400;

/**
 * Allows requests from pages of any origin. The key is in a header that a page must set itself, so another site cannot abuse a
 * visitor's cookie. Mount it before authentication, so that pages can read refusals too.
 */
export const allowOtherOrigins: RequestHandler = (request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  if (request.method !== 'OPTIONS') {
    next();
    return;
  }
  response.setHeader('Access-Control-Allow-Methods', 'POST');
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Request-Id, Idempotency-Key');
  response.setHeader('Access-Control-Max-Age', String(DAY_SECONDS));
  response.status(204).end();
};
