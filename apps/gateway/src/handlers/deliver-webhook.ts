import { GiveUp, type DeliverWebhook } from '@quarry/contracts';
import { FetchRefused, isFetchError } from '@quarry/safe-fetch';
import { and, eq } from 'drizzle-orm';
import { webhooks, type WebhookRow } from '../database/tables/webhooks.js';
import type { Gateway } from '../gateway.js';
import { endDelivery } from '../webhooks/deliveries.js';
import { buildSignatureHeaders, decryptSecret } from '../webhooks/webhook-secret.js';

export type DeliveryDependencies = Pick<Gateway, 'db' | 'clock' | 'secretCipher' | 'webhookFetch'>;

const DELIVERY_TIMEOUT_MS = 15_000;
/** The HTTP status by which a receiver unsubscribes. Source: Standard Webhooks, "Delivery". */
const STATUS_GONE = 410;

/**
 * Sends an event to the address that its webhook has now, with a new signature per attempt. Stores the outcome in the webhook. Drops
 * the event if the webhook was deleted or disabled.
 *
 * @throws if the receiver does not accept the event, so that the queue retries; GiveUp if a retry cannot succeed
 */
export async function deliverWebhook(
  dependencies: DeliveryDependencies,
  job: DeliverWebhook,
  signal: AbortSignal,
): Promise<void> {
  const { db } = dependencies;
  const isThis = and(eq(webhooks.organizationId, job.organizationId), eq(webhooks.id, job.webhookId));
  const [webhook] = await db.select().from(webhooks).where(isThis);
  if (webhook?.enabled !== true) return endDelivery(db, job);
  const sent = await sendEvent(dependencies, webhook, job, signal);
  const { status, message } = sent;
  const lastDelivery = { at: sent.at, eventId: job.eventId, delivered: message === null, status, message };
  await db
    .update(webhooks)
    .set({ lastDelivery, ...(status === STATUS_GONE ? { enabled: false } : {}) })
    .where(isThis);
  if (message === null) return endDelivery(db, job);
  throw status === STATUS_GONE || sent.isRefused
    ? new GiveUp<'webhook_refused'>('webhook_refused', message)
    : new Error(message);
}

/** Describes the outcome of one request to a receiver. */
interface DeliveryAttempt {
  /** Time of the attempt in ISO 8601. */
  readonly at: string;
  /** HTTP status of the response. Null: the receiver sent no response. */
  readonly status: number | null;
  /** Why the receiver did not accept the event. Null: the receiver accepted the event. */
  readonly message: string | null;
  /** True if the address is not allowed, so that another attempt would fail too. */
  readonly isRefused: boolean;
}

/** Sends a signed event to a receiver. @throws if the delivery was aborted, or for an unexpected error */
async function sendEvent(
  { webhookFetch, secretCipher, clock }: DeliveryDependencies,
  webhook: WebhookRow,
  { eventId, event }: DeliverWebhook,
  signal: AbortSignal,
): Promise<DeliveryAttempt> {
  const now = clock();
  const body = JSON.stringify(event);
  const secret = decryptSecret(secretCipher, webhook, webhook.encryptedSecret);
  const at = now.toISOString();
  try {
    const response = await webhookFetch.fetch(webhook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...buildSignatureHeaders(secret, eventId, now, body) },
      body,
      signal,
      limits: { totalMs: DELIVERY_TIMEOUT_MS },
      // A server to which the receiver redirects must not get an event that is signed for this receiver.
      followRedirect: false,
    });
    await response.discard();
    const { status } = response;
    const isAccepted = status >= 200 && status < 300;
    return { at, status, message: isAccepted ? null : `expected a status 2xx, found ${status}`, isRefused: false };
  } catch (error) {
    if (!isFetchError(error) || signal.aborted) throw error;
    return { at, status: null, message: error.message, isRefused: error instanceof FetchRefused };
  }
}
