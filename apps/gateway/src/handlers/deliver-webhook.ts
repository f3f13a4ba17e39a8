import { GiveUp, type DeliverWebhook } from '@quarry/contracts';
import { FetchRefused, isFetchError } from '@quarry/safe-fetch';
import { and, eq } from 'drizzle-orm';
import { webhooks, type WebhookRow } from '../database/tables/webhooks.js';
import type { Gateway } from '../gateway.js';
import { endDelivery } from '../webhooks/deliveries.js';
import { openSecret, buildSignatureHeaders } from '../webhooks/webhook-secret.js';

export type Delivering = Pick<Gateway, 'db' | 'clock' | 'sealing' | 'webhookFetch'>;

const PATIENCE_MS = 15_000;
/** How a receiver says that it wants no more. Source: Standard Webhooks, "Delivery". */
const GONE = 410;

/**
 * Sends an event, signed anew with each try. One whose webhook was removed, switched off or pointed elsewhere meanwhile follows what
 * holds now.
 *
 * @throws when it was not taken, so that the queue tries again
 */
export async function deliverWebhook(delivering: Delivering, job: DeliverWebhook, signal: AbortSignal): Promise<void> {
  const { db } = delivering;
  const isThis = and(eq(webhooks.organizationId, job.organizationId), eq(webhooks.id, job.webhookId));
  const [webhook] = await db.select().from(webhooks).where(isThis);
  if (webhook?.enabled !== true) return endDelivery(db, job);
  const end = await send(delivering, webhook, job, signal);
  const { status, message } = end;
  const lastDelivery = { at: end.at, eventId: job.eventId, delivered: message === null, status, message };
  await db
    .update(webhooks)
    .set({ lastDelivery, ...(status === GONE ? { enabled: false } : {}) })
    .where(isThis);
  if (message === null) return endDelivery(db, job);
  throw status === GONE || end.isRefused
    ? new GiveUp<'webhook_refused'>('webhook_refused', message)
    : new Error(message);
}

interface Sent {
  readonly at: string;
  readonly status: number | null;
  /** Why it was not taken; null: it was. */
  readonly message: string | null;
  /** Whether another try would end in the same way. */
  readonly isRefused: boolean;
}

async function send(
  { webhookFetch, sealing, clock }: Delivering,
  webhook: WebhookRow,
  { eventId, event }: DeliverWebhook,
  signal: AbortSignal,
): Promise<Sent> {
  const now = clock();
  const body = JSON.stringify(event);
  const secret = openSecret(sealing, webhook, webhook.sealedSecret);
  const at = now.toISOString();
  try {
    const response = await webhookFetch.fetch(webhook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...buildSignatureHeaders(secret, eventId, now, body) },
      body,
      signal,
      limits: { totalMs: PATIENCE_MS },
      // What is signed for one address is not for another.
      followRedirect: false,
    });
    await response.discard();
    const { status } = response;
    const isTaken = status >= 200 && status < 300;
    return { at, status, message: isTaken ? null : `expected a status 2xx, found ${status}`, isRefused: false };
  } catch (error) {
    if (!isFetchError(error) || signal.aborted) throw error;
    return { at, status: null, message: error.message, isRefused: error instanceof FetchRefused };
  }
}
