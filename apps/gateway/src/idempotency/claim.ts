import { createHmac } from 'node:crypto';
import { createSecretCipher, type SecretCipher } from '@quarry/encrypted-secrets';
import { invalid } from '../checks/invalid.js';
import type { Caller } from '../access/caller.js';
import { fingerprintOf, sha256 } from './fingerprint.js';

/** A request that is to be carried out once, by the name that its client gives it. */
export interface Claim {
  readonly organizationId: string;
  readonly apiKeyId: string;
  /** Such as `POST /datastores`. */
  readonly route: string;
  readonly keyHash: string;
  readonly fingerprint: string;
  /** Derived from the API key, of which nothing is stored: only a request with that key can decrypt the response. */
  readonly secretCipher: SecretCipher;
}

/** A request with an `Idempotency-Key`. */
export interface NamedRequest {
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

/** Printable ASCII, as a header can hold it. */
const KEY = /^[\x21-\x7E]{1,255}$/;

/** @throws Problem 400 for an `Idempotency-Key` that is not valid */
export function createClaim({ idempotencyKey: key, caller, apiKey, route, content }: NamedRequest): Claim {
  if (!KEY.test(key)) {
    const found = `${key.length} characters: ${JSON.stringify(key.slice(0, 40))}`;
    throw invalid('Idempotency-Key', `must have 1 to 255 printable ASCII characters and no blank, found ${found}`);
  }
  return {
    organizationId: caller.organizationId,
    apiKeyId: caller.keyId,
    route,
    keyHash: sha256(key),
    fingerprint: fingerprintOf(content),
    secretCipher: cipherFor(apiKey),
  };
}

function cipherFor(apiKey: string): SecretCipher {
  return createSecretCipher([
    createHmac('sha256', apiKey).update('quarry: answers kept for repeated requests').digest(),
  ]);
}
