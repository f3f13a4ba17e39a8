import { timingSafeEqual } from 'node:crypto';
import type { Scope } from '@quarry/contracts';
import type { KeyRow } from '../database/tables/api-keys.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { hashApiKey } from './api-key.js';
import { limitsOf, type Caller } from '../access/caller.js';
import { findKeyByHash } from './key-repository.js';
import { createRefusals } from './refusals.js';

const BEARER = /^Bearer +(\S+)$/i;

/** What checking keys needs. */
export type KeyCheckParts = Pick<Gateway, 'db' | 'clock' | 'refusalsPerMinute'>;

/** The credentials of a request. */
export interface Credentials {
  /** The value of the Authorization header. */
  readonly authorization: string | undefined;
  /** The client's address, as the trusted proxies report it. */
  readonly address: string | undefined;
}

/** Finds the valid key of a request. @throws Problem 401; 429 when the address has had too many refusals */
export type KeyCheck = (credentials: Credentials) => Promise<{ readonly caller: Caller; readonly row: KeyRow }>;

/**
 * Returns a check of keys. The key is looked up at each request, so that revoking it acts at once in every process. Requests without
 * a valid key are counted by address.
 */
export function createKeyCheck({ db, clock, refusalsPerMinute }: KeyCheckParts): KeyCheck {
  const refusals = createRefusals(refusalsPerMinute);
  return async ({ authorization, address }) => {
    try {
      const key = readBearer(authorization);
      const row = requireKnown(await findKeyByHash(db, hashApiKey(key)), key);
      return { caller: admit(row, clock()), row };
    } catch (error) {
      throw await refusals.count(address, error);
    }
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
