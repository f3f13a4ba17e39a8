import { createHmac, randomBytes } from 'node:crypto';
import type { SecretCipher } from '@quarry/encrypted-secrets';

const PREFIX = 'whsec_';

/** Creates a secret: `whsec_` and 256 random bits in base64, as Standard Webhooks defines. */
export function generateWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/**
 * Returns the headers of one delivery attempt. Source: Standard Webhooks 1.0 (standardwebhooks.com), "Signature scheme".
 *
 * @param eventId the same for every attempt
 * @param now the time of the attempt; receivers refuse attempts that are a few minutes old
 */
export function buildSignatureHeaders(
  secret: string,
  eventId: string,
  now: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** Binds the encrypted secret to one webhook: it cannot be decrypted for another. */
interface SecretOwner {
  readonly organizationId: string;
  readonly id: string;
}

export function encryptSecret(secretCipher: Pick<SecretCipher, 'encrypt'>, owner: SecretOwner, secret: string): string {
  return secretCipher.encrypt(secret, nameOf(owner));
}

/** Decrypts a secret. @throws DecryptionFailed */
export function decryptSecret(
  secretCipher: Pick<SecretCipher, 'decrypt'>,
  owner: SecretOwner,
  encrypted: string,
): string {
  return secretCipher.decrypt(encrypted, nameOf(owner));
}

function nameOf({ organizationId, id }: SecretOwner): string {
  return `webhook/${organizationId}/${id}`;
}
