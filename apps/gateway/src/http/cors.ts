import type { RequestHandler } from 'express';

const EXPOSED =
  'X-Request-Id, Deprecation, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Quarry-Notes, Idempotency-Replayed';
const DAY_SECONDS = 86_400;

/**
 * Lets pages of any origin ask: the key is in a header that a page must set itself, so no visitor's cookie can be abused.
 * Mounted before authentication, so that a page can read refusals too.
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
