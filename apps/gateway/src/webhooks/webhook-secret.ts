import { randomBytes } from 'node:crypto';
import type { SecretCipher } from '@quarry/encrypted-secrets';

/** The beginning of every webhook secret. The rest of the secret is the signing key in base64. */
export const SECRET_PREFIX = 'whsec_';

/** Generates a webhook secret: `whsec_` and 256 random bits in base64, as Standard Webhooks defines. */
export function generateWebhookSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`;
}

/**
 * Identifies the webhook to which a secret is bound. A secret that was encrypted for one webhook cannot be decrypted
 * for a different one.
 */
interface SecretOwner {
  readonly organizationId: string;
  readonly id: string;
}

export function encryptWebhookSecret(
  secretCipher: Pick<SecretCipher, 'encrypt'>,
  owner: SecretOwner,
  secret: string,
): string {
  return secretCipher.encrypt(secret, buildEncryptionContext(owner));
}

/**
 * Decrypts the secret of a webhook.
 *
 * @throws DecryptionFailed if the secret was encrypted for another webhook or with another key
 */
export function decryptWebhookSecret(
  secretCipher: Pick<SecretCipher, 'decrypt'>,
  owner: SecretOwner,
  encrypted: string,
): string {
  return secretCipher.decrypt(encrypted, buildEncryptionContext(owner));
}

function buildEncryptionContext({ organizationId, id }: SecretOwner): string {
  return `webhook/${organizationId}/${id}`;
}
