import { Problem } from '@quarry/service-kit';
import type { ErrorRequestHandler, Request } from 'express';
import type { Gateway } from '../../../gateway.js';
import { findKeyByHash, hashApiKey } from '../../../keys/key-repository.js';

const BEARER = /^Bearer +(\S+)$/i;

/**
 * Creates middleware that refuses revoked and expired keys with 403 instead of 401, if they have the shapes of Chaindesk. Its clients
 * expect 403 for a key that is not valid. An unknown key is refused with 401, because its shapes are not known.
 */
export function translateRefusals({ db }: Pick<Gateway, 'db'>): ErrorRequestHandler {
  return async (error: unknown, request, _response, next) => {
    const isForChaindesk =
      error instanceof Problem && error.kind.status === 401 && (await hasCompatibleKey(db, request));
    next(isForChaindesk ? toForbidden(error) : error);
  };
}

/** Returns false if the database is unavailable, so that the client receives the first error. */
async function hasCompatibleKey(db: Gateway['db'], request: Request): Promise<boolean> {
  const key = BEARER.exec(request.get('authorization') ?? '')?.[1];
  const row = key === undefined ? undefined : await findKeyByHash(db, hashApiKey(key)).catch(() => undefined);
  return row?.compatibility === 'chaindesk';
}

function toForbidden(error: Problem): Problem {
  return new Problem(error.code, { ...error.kind, status: 403 }, error.message, { cause: error });
}
