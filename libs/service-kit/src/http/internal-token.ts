import type { RequestHandler } from 'express';
import { hasBearerToken } from './monitoring-access.js';
import { basicProblem } from './problem.js';

/** Creates a handler that rejects requests without `token`, the secret that the services of an installation share. */
export function createInternalTokenCheck(token: string): RequestHandler {
  return (request, _response, next) => {
    if (!hasBearerToken(request, token)) {
      throw basicProblem(
        'unauthorized',
        'This address is for Quarry’s own services, and the internal token is missing or wrong.',
      );
    }
    next();
  };
}
