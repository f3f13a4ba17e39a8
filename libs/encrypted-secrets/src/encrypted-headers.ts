import { DecryptionFailed, type SecretCipher } from './secret-cipher.js';

/** Request headers, keyed by name. */
export type Headers = Readonly<Record<string, string>>;

/** Identifies the datasource that the headers belong to. Headers cannot be decrypted for another datasource. */
export interface HeadersOwner {
  readonly organizationId: string;
  readonly datasourceId: string;
}

/** Encrypts the headers that a customer configured for requests to the customer's own server. */
export function encryptHeaders(
  secretCipher: Pick<SecretCipher, 'encrypt'>,
  owner: HeadersOwner,
  headers: Headers,
): string {
  return secretCipher.encrypt(JSON.stringify(headers), formatOwnerId(owner));
}

/**
 * Decrypts the headers of a datasource.
 *
 * @throws DecryptionFailed if the headers were encrypted for another datasource
 */
export function decryptHeaders(
  secretCipher: Pick<SecretCipher, 'decrypt'>,
  owner: HeadersOwner,
  encrypted: string,
): Headers {
  const headers: unknown = JSON.parse(secretCipher.decrypt(encrypted, formatOwnerId(owner)));
  if (!isHeaders(headers)) throw new DecryptionFailed('the decrypted text contains no headers');
  return headers;
}

function formatOwnerId({ organizationId, datasourceId }: HeadersOwner): string {
  return `headers/${organizationId}/${datasourceId}`;
}

function isHeaders(value: unknown): value is Headers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === 'string');
}
