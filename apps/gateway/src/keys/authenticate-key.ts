import { timingSafeEqual } from 'node:crypto';
import type { Scope } from '@quarry/contracts';
import { BASIC_PROBLEMS, Problem } from '@quarry/service-kit';
import type { KeyRow } from '../database/tables/api-keys.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { getKeyLimits, type Caller } from '../access/caller.js';
import type { KeyCache } from './key-cache.js';
import { hashApiKey } from './key-repository.js';

const BEARER = /^Bearer +(\S+)$/i;

/** The parts of the gateway that are needed to authenticate API keys and to count refused requests. */
export type KeyCheckParts = Pick<Gateway, 'keys' | 'clock' | 'refusals'>;

/** The parts of the gateway that are needed to find an API key and to check whether the key has expired. */
interface CheckParts extends Pick<Gateway, 'clock'> {
  readonly keys: Pick<KeyCache, 'find'>;
}

/** Contains the credentials of a request. */
export interface Credentials {
  /** The value of the header `Authorization`. */
  readonly authorization: string | undefined;
  /** The client's IP address, as the trusted proxies report it. */
  readonly address: string | undefined;
}

/** An authenticated caller, and the row of its API key. */
export interface AuthenticatedKey {
  readonly caller: Caller;
  readonly row: KeyRow;
}

/** Reports a key that was revoked or has expired, as a problem with the status 401. */
export class InvalidKey extends Problem {
  readonly compatibility: KeyRow['compatibility'];

  constructor({ compatibility }: Pick<KeyRow, 'compatibility'>, detail: string) {
    super('unauthorized', BASIC_PROBLEMS.unauthorized, detail);
    this.compatibility = compatibility;
  }
}

/**
 * Authenticates a request by its API key. Counts requests without a valid key per client address.
 *
 * @throws Problem 401 for a request without a valid key; 429 after too many such requests from the client's address
 */
export async function authenticateCredentials(
  gateway: KeyCheckParts,
  { authorization, address }: Credentials,
): Promise<AuthenticatedKey> {
  return authenticateAndCountRefusal(gateway, address, async () =>
    authenticateKey(gateway, parseBearerKey(authorization)),
  );
}

/**
 * Authenticates an API key. A revocation takes effect within a second.
 *
 * @throws Problem 401 for an unknown, revoked or expired key
 */
export async function authenticateKey({ keys, clock }: CheckParts, key: string): Promise<AuthenticatedKey> {
  const hash = hashApiKey(key);
  const row = requireMatchingKey(await keys.find(hash), hash);
  const caller = createKeyCaller(row, clock());
  return { caller: row.compatibility === null ? caller : { ...caller, compatibility: row.compatibility }, row };
}

/**
 * Calls `authenticate`. If it throws the problem `unauthorized`, counts a refusal for the client's address.
 *
 * @throws Problem 429 after too many refusals
 */
export async function authenticateAndCountRefusal<Result>(
  { refusals }: Pick<Gateway, 'refusals'>,
  address: string | undefined,
  authenticate: () => Promise<Result>,
): Promise<Result> {
  try {
    return await authenticate();
  } catch (error) {
    throw await refusals.countRefusal(address, error);
  }
}

/** Refuses a caller whose key has none of the given scopes. @throws Problem 403 */
export function requireAnyScope({ scopes }: Caller, anyOf: readonly Scope[]): void {
  if (anyOf.some((scope) => scopes.includes(scope))) return;
  throw problem(
    'insufficient_scope',
    `This operation needs a key with the scope ${anyOf.join(' or ')}; the scopes of this key are: ${scopes.join(', ') || 'none'}.`,
  );
}

/**
 * Reads the API key from the value of the header `Authorization`.
 *
 * @throws Problem 401 for a missing or malformed header
 */
export function parseBearerKey(header: string | undefined): string {
  if (header === undefined) {
    throw problem('unauthorized', 'The Authorization header is missing; expected Authorization: Bearer <API key>.');
  }
  const key = BEARER.exec(header)?.[1];
  if (key === undefined) {
    throw problem('unauthorized', 'The Authorization header is malformed; expected Authorization: Bearer <API key>.');
  }
  return key;
}

/** Returns the row of an API key. Compares the hashes in constant time. @throws Problem 401 without a matching row */
function requireMatchingKey(row: KeyRow | undefined, hash: string): KeyRow {
  if (row === undefined || !isSameHash(row.hash, hash)) {
    throw problem('unauthorized', 'The API key is unknown.');
  }
  return row;
}

/** Creates the caller that an API key identifies. @throws InvalidKey for a revoked or expired key */
export function createKeyCaller(row: KeyRow, now: Date): Caller {
  if (row.revokedAt !== null) throw new InvalidKey(row, `The API key ${row.prefix}… was revoked.`);
  if (row.expiresAt !== null && row.expiresAt <= now) {
    throw new InvalidKey(row, `The API key ${row.prefix}… expired at ${row.expiresAt.toISOString()}.`);
  }
  return { organizationId: row.organizationId, keyId: row.id, scopes: row.scopes, limits: getKeyLimits(row) };
}

function isSameHash(stored: string, given: string): boolean {
  return stored.length === given.length && timingSafeEqual(Buffer.from(stored), Buffer.from(given));
}
