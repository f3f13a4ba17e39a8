import type { Scope } from '@quarry/contracts';
import { getRequestScope, type Log } from '@quarry/service-kit';
import type { Request, RequestHandler, Response } from 'express';
import { redactQueryParameters } from '../database/query-error.js';
import {
  type AuthenticatedKey,
  authenticateCredentials,
  authenticateAndCountRefusal,
  type Credentials,
  type KeyCheckParts,
  parseBearerKey,
  requireAnyScope,
} from '../keys/authenticate-key.js';
import { shouldRecordKeyUse, recordKeyUse } from '../keys/key-repository.js';
import type { Caller } from '../access/caller.js';
import type { Gateway } from '../gateway.js';
import { requireAdmission } from '../rate-limit/require-admission.js';
import { WINDOW_SECONDS } from '../rate-limit/request-counts.js';
import { authenticateSession } from '../sessions/authenticate-session.js';
import { recordSessionUse, shouldRecordSessionUse } from '../sessions/session-repository.js';
import { requireSameOriginPage } from './same-origin.js';
import { readSessionToken } from './session-cookie.js';

/**
 * Creates middleware that refuses requests without a valid API key or session, and records when the key or session was
 * used. If a request has both the header `Authorization` and the cookie of a session, the API key in the header
 * applies.
 *
 * @throws Problem 401 without a valid key or session; 429 after too many such requests from the client's address; 403
 *   for a session that a page of another origin uses
 */
export function createAuthenticationHandler(gateway: AuthenticationParts): RequestHandler {
  return async (request, response, next) => {
    const { caller, row, secret } = await authenticate(gateway, request);
    authenticated.set(response, { caller, secret });
    recordCredentialUses(gateway, { caller, row }, getRequestScope(response).log);
    next();
  };
}

type AuthenticationParts = KeyCheckParts & Pick<Gateway, 'db'>;

/** An authenticated caller with its credential (`secret`): the text of its API key, or the token of its session. */
interface AuthenticatedCaller {
  readonly caller: Caller;
  readonly secret: string;
}

async function authenticate(
  gateway: AuthenticationParts,
  request: Request,
): Promise<AuthenticatedKey & { readonly secret: string }> {
  const credentials = readCredentials(request);
  const token = credentials.authorization === undefined ? readSessionToken(request) : undefined;
  if (token === undefined) {
    const found = await authenticateCredentials(gateway, credentials);
    return { ...found, secret: parseBearerKey(credentials.authorization) };
  }
  requireSameOriginPage(request);
  const found = await authenticateAndCountRefusal(gateway, request.ip, async () => authenticateSession(gateway, token));
  return { ...found, secret: token };
}

/**
 * Creates middleware that refuses requests without a valid API key, and records when the key was used. Ignores
 * sessions, because a browser also sends their cookies for a page of another origin.
 *
 * @throws Problem 401 without a valid key; 429 after too many such requests from the client's address
 */
export function createKeyAuthenticationHandler(gateway: AuthenticationParts): RequestHandler {
  return async (request, response, next) => {
    const credentials = readCredentials(request);
    const { caller, row } = await authenticateCredentials(gateway, credentials);
    setCaller(response, caller, parseBearerKey(credentials.authorization));
    recordCredentialUses(gateway, { caller, row }, getRequestScope(response).log);
    next();
  };
}

/** Sets the caller of an authenticated request. @param secret the text of the request's credential */
export function setCaller(response: Response, caller: Caller, secret: string): void {
  authenticated.set(response, { caller, secret });
}

/** Records in the background when a key and a session were used, at most once per minute. */
function recordCredentialUses(
  { db, clock, keys }: AuthenticationParts,
  { caller: { session }, row }: AuthenticatedKey,
  log: Log,
): void {
  const now = clock();
  const uses: Promise<void>[] = [];
  if (shouldRecordKeyUse(row, now)) {
    keys.setLastUse(row, now);
    uses.push(recordKeyUse(db, row.id, now));
  }
  if (session !== undefined && shouldRecordSessionUse(session, now)) uses.push(recordSessionUse(db, session, now));
  for (const use of uses) {
    use.catch((error: unknown) => {
      log.warn({ err: redactQueryParameters(error) }, 'failed to record the use of an API key or a session');
    });
  }
}

/** Reads the credentials and the client's address from a request. */
export function readCredentials(request: Request): Credentials {
  return { authorization: request.get('authorization'), address: request.ip };
}

/**
 * Creates middleware that refuses API keys with none of the given scopes. An empty list admits every key.
 *
 * @throws Problem 403
 */
export function createScopeCheck(anyOf: readonly Scope[]): RequestHandler {
  return (_request, response, next) => {
    if (anyOf.length > 0) requireAnyScope(getCaller(response), anyOf);
    next();
  };
}

const authenticated = new WeakMap<Response, AuthenticatedCaller>();

/**
 * Returns the caller of a request that passed the authentication.
 *
 * @throws if the route is mounted without authentication
 */
export function getCaller(response: Response): Caller {
  return getAuthentication(response).caller;
}

/**
 * Returns the credential of a request that passed the authentication: the text of the API key, or the token of the
 * session.
 *
 * @throws if the route is mounted without authentication
 */
export function getCredential(response: Response): string {
  return getAuthentication(response).secret;
}

function getAuthentication(response: Response): AuthenticatedCaller {
  const found = authenticated.get(response);
  if (found === undefined) throw new Error('expected the authentication to run before this handler, found no caller');
  return found;
}

/**
 * Creates middleware that limits the requests of each API key per minute. Adds the limit and the number of remaining
 * requests to each response. Uses the headers of early versions of draft-ietf-httpapi-ratelimit-headers, which many
 * clients support.
 *
 * @throws Problem 429 for a request above the limit
 */
export function createRequestLimit({ rateLimiter }: Pick<Gateway, 'rateLimiter'>): RequestHandler {
  return (_request, response, next) => {
    if (rateLimiter === undefined) {
      next();
      return;
    }
    const admission = rateLimiter.admit(getCaller(response).keyId);
    response.setHeader('RateLimit-Policy', `${admission.limit};w=${WINDOW_SECONDS}`);
    response.setHeader('RateLimit-Limit', String(admission.limit));
    response.setHeader('RateLimit-Remaining', String(admission.remaining));
    response.setHeader('RateLimit-Reset', String(admission.resetSeconds));
    requireAdmission(admission);
    next();
  };
}
