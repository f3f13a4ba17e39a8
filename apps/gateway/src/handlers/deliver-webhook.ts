import type { DeliverWebhook } from '@quarry/contracts';
import { FetchRefused, isFetchError } from '@quarry/safe-fetch';
import { and, eq } from 'drizzle-orm';
import { webhooks, type WebhookRow } from '../database/tables/webhooks.js';
import type { Gateway } from '../gateway.js';
import { endDelivery, makeDeliveryDue, releaseClaim, renewClaim, type Attempt } from '../webhooks/deliveries.js';
import { recordAttempt, type AttemptOutcome } from '../webhooks/record-attempt.js';
import { buildSignatureHeaders } from '../webhooks/signature.js';
import { decryptSecret } from '../webhooks/webhook-secret.js';

export type DeliveryDependencies = Pick<
  Gateway,
  'db' | 'log' | 'clock' | 'secretCipher' | 'webhookFetch' | 'deliveriesDue'
>;

const DELIVERY_TIMEOUT_MS = 15_000;

/**
 * Makes one attempt to deliver an event, with a new signature, under the webhook's current settings. The job of an earlier
 * version, which has no attempt, makes its delivery due. A job whose attempt is out of date changes nothing.
 *
 * @throws when the attempt was aborted or could not be recorded
 */
export async function deliverWebhook(
  dependencies: DeliveryDependencies,
  job: DeliverWebhook,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, deliveriesDue } = dependencies;
  const { webhookId, eventId, attempt } = job;
  if (attempt === undefined) await makeDeliveryDue(db, job, clock());
  else await attemptDelivery(dependencies, job, { webhookId, eventId, attempt }, signal);
  deliveriesDue.wake();
}

async function attemptDelivery(
  dependencies: DeliveryDependencies,
  job: DeliverWebhook,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = dependencies;
  if (!(await renewClaim(db, attempt, clock()))) return;
  const [webhook] = await db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.organizationId, job.organizationId), eq(webhooks.id, job.webhookId)));
  if (webhook === undefined) return endDelivery(db, attempt);
  // Another attempt may have failed since this one was enqueued.
  const isPaused = webhook.pausedUntil !== null && webhook.pausedUntil > clock();
  if (!webhook.enabled || isPaused) return releaseClaim(db, attempt);
  await recordAttempt(dependencies, attempt, webhook.url, await sendEvent(dependencies, webhook, job, signal));
}

async function sendEvent(
  { webhookFetch, secretCipher, clock }: DeliveryDependencies,
  webhook: WebhookRow,
  { eventId, event }: DeliverWebhook,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
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
      // A receiver at another address must not get an event that is signed for this one.
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
