import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { basicProblem } from './problem.js';

/** Checks that a request may read the metrics and the details of readiness. @throws Problem if the request may not */
export type MonitoringAccess = (request: Request) => Promise<void>;

/** Creates a check that only admits requests with the metrics token. @param token undefined: no request is admitted */
export function createMetricsTokenCheck(token: string | undefined): MonitoringAccess {
  return (request) =>
    hasBearerToken(request, token)
      ? Promise.resolve()
      : Promise.reject(
          basicProblem(
            'unauthorized',
            token === undefined
              ? 'Metrics require a token, and none is configured. Set QUARRY_METRICS_TOKEN.'
              : 'Expected the header Authorization: Bearer <token> with the token of QUARRY_METRICS_TOKEN, found none or a wrong token.',
          ),
        );
}

/** Returns true if a request has the header `Authorization: Bearer <token>`. Returns false if `token` is undefined. */
export function hasBearerToken(request: Pick<Request, 'get'>, token: string | undefined): boolean {
  if (token === undefined) return false;
  return timingSafeEqual(computeDigest(request.get('authorization') ?? ''), computeDigest(`Bearer ${token}`));
}

/**
 * Returns the SHA-256 digest of a value. Digests are compared instead of values, because `timingSafeEqual` requires
 * equal lengths.
 */
function computeDigest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
