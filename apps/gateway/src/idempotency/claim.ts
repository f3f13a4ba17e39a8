import { createHash, createHmac } from 'node:crypto';
import { createSecretCipher, type SecretCipher } from '@quarry/encrypted-secrets';
import { createFieldProblem } from '../checks/field-problem.js';
import type { Caller } from '../access/caller.js';

/** Identifies a request with an `Idempotency-Key`, so that it is processed only once. */
export interface Claim {
  readonly organizationId: string;
  readonly apiKeyId: string;
  /** Method and path pattern of the operation, such as `POST /datastores`. */
  readonly route: string;
  /** SHA-256 of the `Idempotency-Key`, in hexadecimal. */
  readonly keyHash: string;
  /** Hash of the content of the request, from `computeContentFingerprint`. */
  readonly fingerprint: string;
  /** Encrypts the stored response. Only requests with the same API key or session can decrypt it. */
  readonly secretCipher: SecretCipher;
}

/** Contains the parts of a request with an `Idempotency-Key` from which its claim is created. */
export interface RequestWithKey {
  /** The value of the header `Idempotency-Key`. */
  readonly idempotencyKey: string;
  readonly caller: Caller;
  /**
   * The text of the caller's API key, or the token of the caller's session. The stored response is encrypted with it.
   */
  readonly secret: string;
  /** Method and path pattern of the operation, such as `POST /datastores`. */
  readonly route: string;
  /**
   * The parameters and the body of the request. They are compared with those of an earlier request with the same
   * `Idempotency-Key`.
   */
  readonly content: unknown;
}

/** Matches a valid `Idempotency-Key`: 1 to 255 printable ASCII characters without blanks. */
const VALID_KEY = /^[\x21-\x7E]{1,255}$/;

/** Creates the claim of a request with an `Idempotency-Key`. @throws Problem 400 for an invalid `Idempotency-Key` */
export function createClaim({ idempotencyKey: key, caller, secret, route, content }: RequestWithKey): Claim {
  if (!VALID_KEY.test(key)) {
    const found = `${key.length} characters: ${JSON.stringify(key.slice(0, 40))}`;
    throw createFieldProblem(
      'Idempotency-Key',
      `must consist of 1 to 255 printable ASCII characters without blanks, found ${found}`,
    );
  }
  return {
    organizationId: caller.organizationId,
    apiKeyId: caller.keyId,
    route,
    // A response to a request of a session can only be decrypted with the token of this session. So equal keys of two
    // sessions with the same API key must have different hashes.
    keyHash: computeSha256(caller.session === undefined ? key : `${caller.session.tokenHash} ${key}`),
    fingerprint: computeContentFingerprint(content),
    secretCipher: createResponseCipher(secret),
  };
}

/** Creates a cipher for stored responses, with a secret that is derived from an API key or a session token. */
function createResponseCipher(secret: string): SecretCipher {
  return createSecretCipher([
    createHmac('sha256', secret).update('quarry: answers kept for repeated requests').digest(),
  ]);
}

/**
 * Computes the hash of the content of a request, to compare two requests. Ignores the order of the fields of objects,
 * because some clients change the order when they repeat a request.
 *
 * @returns SHA-256 in hexadecimal
 */
export function computeContentFingerprint(content: unknown): string {
  return computeSha256(JSON.stringify([sortFieldsDeeply(content)]));
}

/** Computes the SHA-256 of a text, in hexadecimal. */
export function computeSha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function sortFieldsDeeply(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFieldsDeeply);
  if (typeof value !== 'object' || value === null) return value;
  // Fields become pairs of name and value, because an object would reorder names that are numbers and would not store
  // `__proto__`.
  return {
    fields: Object.entries(value)
      .map(([name, field]) => [name, sortFieldsDeeply(field)])
      .toSorted(compareFieldNames),
  };
}

function compareFieldNames([left]: readonly unknown[], [right]: readonly unknown[]): number {
  return String(left) < String(right) ? -1 : 1;
}
