import { Problem } from '@quarry/service-kit';
import type { ErrorRequestHandler } from 'express';
import { InvalidKey } from '../../../keys/authenticate-key.js';

/**
 * Refuses revoked and expired keys with 403 instead of 401, if they have the compatibility `chaindesk`. Clients of
 * Chaindesk's API expect 403 for an invalid key. An unknown key is still refused with 401, because its compatibility is
 * not known. A session of a revoked or expired key is refused with 401, too.
 */
export const translateRefusals: ErrorRequestHandler = (error: unknown, request, _response, next) => {
  const isForChaindesk =
    error instanceof InvalidKey && error.compatibility === 'chaindesk' && request.get('authorization') !== undefined;
  next(isForChaindesk ? toForbiddenProblem(error) : error);
};

function toForbiddenProblem(error: Problem): Problem {
  return new Problem(error.code, { ...error.kind, status: 403 }, error.message, { cause: error });
}
