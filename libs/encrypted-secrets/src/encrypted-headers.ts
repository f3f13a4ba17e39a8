import { DecryptionFailed, type SecretCipher } from './secret-cipher.js';

/** Request headers by name. */
export type Headers = Readonly<Record<string, string>>;

/** Describes the datasource that the headers belong to: they cannot be decrypted for another one. */
export interface HeadersOwner {
  readonly organizationId: string;
  readonly datasourceId: string;
}

/** Encrypts the headers that a customer configured for the requests to its own server. */
export function encryptHeaders(
  secretCipher: Pick<SecretCipher, 'encrypt'>,
  owner: HeadersOwner,
  headers: Headers,
): string {
  return secretCipher.encrypt(JSON.stringify(headers), nameOf(owner));
}

/** Decrypts the headers of a datasource. @throws DecryptionFailed when these are not that datasource's headers */
export function decryptHeaders(
  secretCipher: Pick<SecretCipher, 'decrypt'>,
  owner: HeadersOwner,
  encrypted: string,
): Headers {
  const headers: unknown = JSON.parse(secretCipher.decrypt(encrypted, nameOf(owner)));
  if (!areHeaders(headers)) throw new DecryptionFailed('it holds no headers');
  return headers;
}

function nameOf({ organizationId, datasourceId }: HeadersOwner): string {
  return `headers/${organizationId}/${datasourceId}`;
}

function areHeaders(value: unknown): value is Headers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === 'string');
}
