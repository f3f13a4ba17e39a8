import { createHash, createHmac } from 'node:crypto';
import { createSecretCipher, type SecretCipher } from '@quarry/encrypted-secrets';
import { createFieldProblem } from '../checks/invalid-field.js';
import type { Caller } from '../access/caller.js';

/** An operation request with an `Idempotency-Key`, which is processed once. */
export interface Claim {
  readonly organizationId: string;
  readonly apiKeyId: string;
  /** Such as `POST /datastores`. */
  readonly route: string;
  readonly keyHash: string;
  readonly fingerprint: string;
  /** Derived from the API key, which is not stored. Only a request with that key can decrypt the response. */
  readonly secretCipher: SecretCipher;
}

/** The parts of a request with an `Idempotency-Key`. */
export interface RequestWithKey {
  /** The value of the header. */
  readonly idempotencyKey: string;
  readonly caller: Caller;
  /** The text of the caller's API key. */
  readonly apiKey: string;
  /** Such as `POST /datastores`. */
  readonly route: string;
  /** Distinguishes this request from another one with the same key: its parameters and its body. */
  readonly content: unknown;
}

/** Printable ASCII characters without a blank. */
const VALID_KEY = /^[\x21-\x7E]{1,255}$/;

/** Creates the claim of a request. @throws Problem 400 for an `Idempotency-Key` that is not valid */
export function createClaim({ idempotencyKey: key, caller, apiKey, route, content }: RequestWithKey): Claim {
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
    keyHash: sha256(key),
    fingerprint: computeFingerprint(content),
    secretCipher: createResponseCipher(apiKey),
  };
}

function createResponseCipher(apiKey: string): SecretCipher {
  return createSecretCipher([
    createHmac('sha256', apiKey).update('quarry: answers kept for repeated requests').digest(),
  ]);
}

/**
 * Computes a hash that differs between requests with different content. The order of an object's fields is ignored, because some
 * clients change it between requests.
 *
 * @returns SHA-256 in hexadecimal
 */
export function computeFingerprint(content: unknown): string {
  return sha256(JSON.stringify([sortFields(content)]));
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== 'object' || value === null) return value;
  // The fields are pairs, because an object would sort fields that look like numbers and would not store `__proto__`.
  return {
    fields: Object.entries(value)
      .map(([name, field]) => [name, sortFields(field)])
      .toSorted(compareNames),
  };
}

function compareNames([left]: readonly unknown[], [right]: readonly unknown[]): number {
  return String(left) < String(right) ? -1 : 1;
}
