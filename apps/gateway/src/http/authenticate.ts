import type { Scope } from '@quarry/contracts';
import { requestOf } from '@quarry/service-kit';
import type { Request, RequestHandler, Response } from 'express';
import { redactQueryParameters } from '../database/query-error.js';
import { createKeyCheck, type Credentials, type KeyCheckParts, requireAnyScope } from '../keys/check-key.js';
import { shouldRecordKeyUse, recordKeyUse } from '../keys/key-repository.js';
import type { Caller } from '../access/caller.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { WINDOW_SECONDS } from '../rate-limit/request-counts.js';

/** Creates middleware that refuses requests without a valid API key, and records the use of the key. @throws Problem 401, 429 */
export function createAuthentication(gateway: KeyCheckParts): RequestHandler {
  const checkKey = createKeyCheck(gateway);
  return async (request, response, next) => {
    const { caller, row } = await checkKey(readCredentials(request));
    setCaller(response, caller);
    const now = gateway.clock();
    if (shouldRecordKeyUse(row, now)) {
      const { log } = requestOf(response);
      recordKeyUse(gateway.db, row.id, now).catch((error: unknown) => {
        log.warn({ err: redactQueryParameters(error) }, 'failed to record the use of an API key');
      });
    }
    next();
  };
}

/** Reads the credentials and the client's address from a request. */
export function readCredentials(request: Request): Credentials {
  return { authorization: request.get('authorization'), address: request.ip };
}

/** Creates middleware that refuses API keys with none of these scopes. An empty list admits every key. @throws Problem 403 */
export function requireScope(anyOf: readonly Scope[]): RequestHandler {
  return (_request, response, next) => {
    if (anyOf.length > 0) requireAnyScope(getCaller(response), anyOf);
    next();
  };
}

const callers = new WeakMap<Response, Caller>();

function setCaller(response: Response, caller: Caller): void {
  callers.set(response, caller);
}

/** Returns the caller of a request that passed the authentication. @throws if the route is mounted without it */
export function getCaller(response: Response): Caller {
  const caller = callers.get(response);
  if (caller === undefined) throw new Error('expected the authentication to run before this handler, found no caller');
  return caller;
}

/**
 * Creates middleware that limits the requests of each API key per minute. Adds the limit and the remaining requests to each response,
 * in the headers of early versions of draft-ietf-httpapi-ratelimit-headers, which many clients support.
 *
 * @throws Problem 429
 */
export function limitRequests({ rateLimiter }: Pick<Gateway, 'rateLimiter'>): RequestHandler {
  return (_request, response, next) => {
    if (rateLimiter === undefined) {
      next();
      return;
    }
    const { admitted, limit, remaining, resetSeconds } = rateLimiter.admit(getCaller(response).keyId);
    response.setHeader('RateLimit-Policy', `${limit};w=${WINDOW_SECONDS}`);
    response.setHeader('RateLimit-Limit', String(limit));
    response.setHeader('RateLimit-Remaining', String(remaining));
    response.setHeader('RateLimit-Reset', String(resetSeconds));
    if (!admitted) {
      throw problem(
        'rate_limited',
        `Each API key is limited to ${limit} requests per minute, and this key has reached the limit. Retry in ${resetSeconds} s.`,
        { headers: { 'Retry-After': String(resetSeconds) } },
      );
    }
    next();
  };
}
