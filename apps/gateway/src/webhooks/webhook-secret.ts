import { createHmac, randomBytes } from 'node:crypto';
import type { SecretCipher } from '@quarry/encrypted-secrets';

const PREFIX = 'whsec_';

/** Generates a webhook secret: `whsec_` and 256 random bits in base64, as Standard Webhooks defines. */
export function generateWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/**
 * Returns the signature headers of one delivery attempt. Source: Standard Webhooks 1.0 (standardwebhooks.com), "Signature scheme".
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

/** Identifies the webhook to which a secret is bound. The encrypted secret cannot be decrypted for another webhook. */
interface SecretOwner {
  readonly organizationId: string;
  readonly id: string;
}

export function encryptSecret(secretCipher: Pick<SecretCipher, 'encrypt'>, owner: SecretOwner, secret: string): string {
  return secretCipher.encrypt(secret, buildSecretName(owner));
}

/** Decrypts the secret of a webhook. @throws DecryptionFailed if it was encrypted for another webhook or with another key */
export function decryptSecret(
  secretCipher: Pick<SecretCipher, 'decrypt'>,
  owner: SecretOwner,
  encrypted: string,
): string {
  return secretCipher.decrypt(encrypted, buildSecretName(owner));
}

function buildSecretName({ organizationId, id }: SecretOwner): string {
  return `webhook/${organizationId}/${id}`;
}
