import type { RequestHandler } from 'express';
import { hasBearer } from './monitoring-access.js';
import { basicProblem } from './problem.js';

/** Admits only requests of other services, which share `token`. */
export function requireInternalToken(token: string): RequestHandler {
  return (request, _response, next) => {
    if (!hasBearer(request, token)) {
      throw basicProblem(
        'unauthorized',
        'This address is for Quarry’s own services, and the internal token is missing or wrong.',
      );
    }
    next();
  };
}
