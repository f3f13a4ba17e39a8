import { createHmac } from 'node:crypto';
import { SECRET_PREFIX } from './webhook-secret.js';

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
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
