import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { basicProblem } from './problem.js';

/** Lets in only the other services, which share `token`. */
export function requireInternalToken(token: string): RequestHandler {
  const expected = digest(`Bearer ${token}`);
  return (request, _response, next) => {
    if (!timingSafeEqual(digest(request.get('authorization') ?? ''), expected)) {
      throw basicProblem(
        'unauthorized',
        'This address is for Quarry’s own services, and the internal token is missing or wrong.',
      );
    }
    next();
  };
}

/** Equal lengths, so that the comparison's time says nothing. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
