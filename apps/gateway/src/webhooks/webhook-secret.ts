import { createHmac, randomBytes } from 'node:crypto';
import type { Sealing } from '@quarry/sealed';

const PREFIX = 'whsec_';

/** A new secret: `whsec_` and 256 random bits in base64, as Standard Webhooks has them. */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/**
 * The headers of one try to deliver a message. Source: Standard Webhooks 1.0 (standardwebhooks.com), "Signature scheme".
 *
 * @param eventId the same for every try
 * @param now what a receiver refuses when it is some minutes old
 */
export function signatureHeaders(secret: string, eventId: string, now: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** Whose secret it is: sealed for one webhook, it opens for no other. */
interface SecretOwner {
  readonly organizationId: string;
  readonly id: string;
}

export function sealSecret(sealing: Pick<Sealing, 'seal'>, owner: SecretOwner, secret: string): string {
  return sealing.seal(secret, nameOf(owner));
}

/** @throws SealBroken */
export function openSecret(sealing: Pick<Sealing, 'open'>, owner: SecretOwner, sealed: string): string {
  return sealing.open(sealed, nameOf(owner));
}

function nameOf({ organizationId, id }: SecretOwner): string {
  return `webhook/${organizationId}/${id}`;
}
