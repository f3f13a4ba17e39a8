import { timingSafeEqual } from 'node:crypto';
import type { Scope } from '@quarry/contracts';
import { requestOf } from '@quarry/service-kit';
import type { Request, RequestHandler } from 'express';
import { redactQueryParameters } from '../database/query-error.js';
import type { KeyRow } from '../database/tables/api-keys.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { hashApiKey } from './api-key.js';
import { callerOf, limitsOf, setCaller, type Caller } from './caller.js';
import { createRefusals } from './refusals.js';
import { findKeyByHash, isTouchDue, touchKey } from './key-repository.js';

const BEARER = /^Bearer +(\S+)$/i;

/** What checking keys needs. */
export type KeyCheckParts = Pick<Gateway, 'db' | 'clock' | 'refusalsPerMinute'>;

/** Finds the valid key of a request. @throws Problem 401; 429 when the address has had too many */
export type KeyCheck = (request: Request) => Promise<{ readonly caller: Caller; readonly row: KeyRow }>;

/**
 * Returns a check of keys. The key is looked up at each request, so that revoking it acts at once in every process. Requests without
 * a valid key are counted by address.
 */
export function createKeyCheck({ db, clock, refusalsPerMinute }: KeyCheckParts): KeyCheck {
  const refusals = createRefusals(refusalsPerMinute);
  return async (request) => {
    try {
      const key = readBearer(request.get('authorization'));
      const row = requireKnown(await findKeyByHash(db, hashApiKey(key)), key);
      return { caller: admit(row, clock()), row };
    } catch (error) {
      throw await refusals.count(request.ip, error);
    }
  };
}

/** Admits requests with a valid key. */
export function authenticate(gateway: KeyCheckParts): RequestHandler {
  const checkKey = createKeyCheck(gateway);
  return async (request, response, next) => {
    const { caller, row } = await checkKey(request);
    setCaller(response, caller);
    const now = gateway.clock();
    if (isTouchDue(row, now)) {
      const { log } = requestOf(response);
      touchKey(gateway.db, row.id, now).catch((error: unknown) => {
        log.warn({ err: redactQueryParameters(error) }, 'the use of a key was not written down');
      });
    }
    next();
  };
}

/** Lets on only a key that has one of these scopes. */
export function requireScope(...anyOf: readonly [Scope, ...Scope[]]): RequestHandler {
  return (_request, response, next) => {
    refuseOtherScopes(callerOf(response), anyOf);
    next();
  };
}

/** @throws Problem `insufficient_scope` when the caller has none of these scopes */
export function refuseOtherScopes({ scopes }: Caller, anyOf: readonly Scope[]): void {
  if (anyOf.some((scope) => scopes.includes(scope))) return;
  throw problem(
    'insufficient_scope',
    `This needs a key with the scope ${anyOf.join(' or ')}; this one has ${scopes.join(', ') || 'none'}.`,
  );
}

/** The key in an Authorization header. @throws Problem 401 */
export function readBearer(header: string | undefined): string {
  if (header === undefined) {
    throw problem('unauthorized', 'The Authorization header is missing; expected Authorization: Bearer <API key>.');
  }
  const key = BEARER.exec(header)?.[1];
  if (key === undefined) {
    throw problem('unauthorized', 'The Authorization header is malformed; expected Authorization: Bearer <API key>.');
  }
  return key;
}

function requireKnown(row: KeyRow | undefined, key: string): KeyRow {
  if (row === undefined || !isSameHash(row.hash, hashApiKey(key))) {
    throw problem('unauthorized', 'The API key is not known.');
  }
  return row;
}

function admit(row: KeyRow, now: Date): Caller {
  if (row.revokedAt !== null) throw problem('unauthorized', `The API key ${row.prefix}… was revoked.`);
  if (row.expiresAt !== null && row.expiresAt <= now) {
    throw problem('unauthorized', `The API key ${row.prefix}… expired at ${row.expiresAt.toISOString()}.`);
  }
  return { organizationId: row.organizationId, keyId: row.id, scopes: row.scopes, limits: limitsOf(row) };
}

function isSameHash(stored: string, given: string): boolean {
  return stored.length === given.length && timingSafeEqual(Buffer.from(stored), Buffer.from(given));
}
