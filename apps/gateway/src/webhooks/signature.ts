import { createHmac } from 'node:crypto';
import { SECRET_PREFIX } from './webhook-secret.js';

/** The version that precedes each signature in the header. Source: Standard Webhooks 1.0, "Signature scheme". */
const VERSION = 'v1';

/**
 * Returns the signature headers of one delivery attempt. Source: Standard Webhooks 1.0 (standardwebhooks.com),
 * "Signature scheme".
 *
 * @param secrets one or several secrets; the header contains a signature with each of them, separated by spaces
 * @param eventId the id of the event, the same for every attempt
 * @param now the time of the attempt; receivers refuse attempts that are a few minutes old
 */
export function buildSignatureHeaders(
  secrets: readonly string[],
  eventId: string,
  now: Date,
  body: string,
): Record<string, string> {
  const timestamp = toUnixSeconds(now);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    const signature = createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64');
    return `${VERSION},${signature}`;
  });
  return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/**
 * Returns the headers of an attempt as the API shows them. The signature is omitted, because with it, a reader of the
 * response could send the same request to the receiver for some minutes.
 *
 * @param at the time of the latest attempt; undefined before the first attempt
 */
export function buildRedactedHeaders(eventId: string, at: Date | undefined): Record<string, string> {
  const sent = at && { 'webhook-timestamp': toUnixSeconds(at), 'webhook-signature': `${VERSION},…` };
  return { 'webhook-id': eventId, ...sent };
}

function toUnixSeconds(time: Date): string {
  return String(Math.floor(time.getTime() / 1_000));
}
