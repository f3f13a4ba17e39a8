import cors from 'cors';

const DAY_SECONDS = 86_400;

/**
 * Allows requests from pages of any origin. A page must set the key in a header itself, so that no cookie of a visitor can be
 * abused. Mounted before authentication, so that pages can read refusals too.
 */
export const allowOtherOrigins = cors({
  origin: '*',
  methods: 'POST',
  allowedHeaders: 'Authorization, Content-Type, X-Request-Id, Idempotency-Key',
  exposedHeaders:
    'X-Request-Id, Deprecation, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Quarry-Notes, Idempotency-Replayed',
  maxAge: DAY_SECONDS,
});
