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
              ? 'Metrics can be read with a token. None is set; set QUARRY_METRICS_TOKEN.'
              : 'Metrics can be read with the token of QUARRY_METRICS_TOKEN; expected Authorization: Bearer <token>.',
          ),
        );
}

/** Returns true when a request carries the token. False when the token is undefined. */
export function hasBearer(request: Pick<Request, 'get'>, token: string | undefined): boolean {
  if (token === undefined) return false;
  return timingSafeEqual(digest(request.get('authorization') ?? ''), digest(`Bearer ${token}`));
}

/** Digests have equal lengths, so that the time of their comparison does not depend on the values. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
