import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { basicProblem } from './problem.js';

/** Admits a request to metrics and to the details of readiness. @throws Problem when it is not admitted */
export type MonitoringAccess = (request: Request) => Promise<void>;

/** Admits requests with the metrics token. @param token undefined: no token is set, and no request is admitted */
export function admitMetricsToken(token: string | undefined): MonitoringAccess {
  return (request) =>
    hasBearer(request, token)
      ? Promise.resolve()
      : Promise.reject(
          basicProblem(
            'unauthorized',
            token === undefined
              ? 'Metrics require a token, and none is configured. Set QUARRY_METRICS_TOKEN.'
              : 'Metrics can be read with the token of QUARRY_METRICS_TOKEN; expected Authorization: Bearer <token>.',
          ),
        );
}

/** Returns true if a request contains the token. Returns false if the token is undefined. */
export function hasBearer(request: Pick<Request, 'get'>, token: string | undefined): boolean {
  if (token === undefined) return false;
  return timingSafeEqual(computeDigest(request.get('authorization') ?? ''), computeDigest(`Bearer ${token}`));
}

/**
 * Returns the digest of a value. Digests have equal lengths, so that the time of a comparison does not depend on the
 * values.
 */
function computeDigest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
