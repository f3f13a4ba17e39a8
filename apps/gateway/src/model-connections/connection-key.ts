import type { SecretCipher } from '@quarry/encrypted-secrets';
import type { ModelProvider } from '@quarry/contracts';

/**
 * Identifies the connection to which an API key is bound. The encrypted key cannot be decrypted for another provider or
 * address.
 */
interface KeyOwner {
  readonly provider: ModelProvider;
  readonly baseUrl: string | null;
}

const HINT_LENGTH = 4;
/**
 * Minimum length of a key that has a hint, in characters. The hint of a shorter key would reveal too much of the key.
 */
const MIN_HINTED_LENGTH = 20;

export function encryptKey(secretCipher: Pick<SecretCipher, 'encrypt'>, owner: KeyOwner, key: string): string {
  return secretCipher.encrypt(key, formatKeyOwner(owner));
}

/**
 * Decrypts the API key of a connection.
 *
 * @throws DecryptionFailed if the API key was encrypted for another connection or with another encryption key
 */
export function decryptKey(secretCipher: Pick<SecretCipher, 'decrypt'>, owner: KeyOwner, encrypted: string): string {
  return secretCipher.decrypt(encrypted, formatKeyOwner(owner));
}

/**
 * Returns a hint by which people recognize an API key: `…` and the last 4 characters of the key. Returns null for a key
 * of fewer than 20 characters.
 */
export function getKeyHint(key: string): string | null {
  return key.length < MIN_HINTED_LENGTH ? null : `…${key.slice(-HINT_LENGTH)}`;
}

function formatKeyOwner({ provider, baseUrl }: KeyOwner): string {
  return `model-connection/${provider}/${baseUrl ?? ''}`;
}
