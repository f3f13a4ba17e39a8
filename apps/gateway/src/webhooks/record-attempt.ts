import {
  type DeliveredEventType,
  TEST_EVENT,
  type WebhookDelivery,
  type WebhookDisabledReason,
} from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { StoredTry } from '../database/tables/webhook-deliveries.js';
import { webhooks, type WebhookRow } from '../database/tables/webhooks.js';
import type { Gateway } from '../gateway.js';
import { addFailedAttempt, HEALTHY, shouldDisableWebhook } from './receiver-state.js';
import { deleteDelivery, endDelivery, failWaitingDeliveries, retryDelivery, type Attempt } from './deliveries.js';

/** The status with which a receiver unsubscribes. Source: Standard Webhooks, "Delivery". */
const STATUS_GONE = 410;

type RecordingParts = Pick<Gateway, 'db' | 'log' | 'clock'>;

/**
 * Records the outcome of an attempt: ends the delivery or schedules its next attempt, and updates the state of the
 * receiver. A test event is attempted once, and leaves the state of the receiver unchanged.
 */
export async function recordAttempt(
  { db, log, clock }: RecordingParts,
  attempt: Attempt,
  type: DeliveredEventType,
  storedTry: StoredTry,
): Promise<void> {
  const now = clock();
  if (type === TEST_EVENT) {
    const failure =
      storedTry.error === null ? null : isAddressRefused(storedTry) ? 'address_refused' : 'attempts_exhausted';
    return endDelivery(db, attempt, { at: now, failure, storedTry });
  }
  await db.transaction(async (tx) => {
    const [webhook] = await tx.select().from(webhooks).where(eq(webhooks.id, attempt.webhookId)).for('no key update');
    if (webhook === undefined) return deleteDelivery(tx, attempt);
    const isCurrentUrl = webhook.url === storedTry.url;
    if (storedTry.error === null) {
      const state = isCurrentUrl ? HEALTHY : {};
      await updateWebhookState(tx, attempt, { lastDelivery: toLastDelivery(attempt.eventId, storedTry), ...state });
      return endDelivery(tx, attempt, { at: now, failure: null, storedTry });
    }
    const failed = { webhook, storedTry, isCurrentUrl, now };
    await recordFailedAttempt({ tx, log }, attempt, failed);
    await settleFailedDelivery({ tx, log }, attempt, failed);
  });
}

interface FailedAttempt {
  readonly webhook: WebhookRow;
  readonly storedTry: StoredTry;
  /**
   * True if the webhook still has the URL of the attempt. Otherwise, the failure neither pauses nor disables the
   * webhook, and the event is sent to the new URL.
   */
  readonly isCurrentUrl: boolean;
  readonly now: Date;
}

/** Pauses deliveries to the receiver of a failed attempt, or disables its webhook. */
async function recordFailedAttempt(
  { tx, log }: { readonly tx: Queries } & Pick<Gateway, 'log'>,
  attempt: Attempt,
  { webhook, storedTry, isCurrentUrl, now }: FailedAttempt,
): Promise<void> {
  const { webhookId, eventId } = attempt;
  const lastDelivery = toLastDelivery(eventId, storedTry);
  if (!isCurrentUrl) return updateWebhookState(tx, attempt, { lastDelivery });
  const disabledReason = isReceiverGone(storedTry) ? describeUnsubscribedReceiver(now) : undefined;
  const state = computeFailureUpdate(webhook, storedTry, now);
  const update = { ...state, ...(disabledReason && { enabled: false, disabledReason }) };
  await updateWebhookState(tx, attempt, { lastDelivery, ...update });
  const { organizationId } = webhook;
  if (webhook.enabled && update.enabled === false) {
    log.warn({ webhookId, organizationId, reason: update.disabledReason }, 'a webhook is disabled');
  }
}

/** Returns whether the receiver has unsubscribed. */
function isReceiverGone({ status }: StoredTry): boolean {
  return status === STATUS_GONE;
}

/** Returns whether a further attempt would fail in the same way, because requests to the address are not allowed. */
function isAddressRefused({ errorCode }: StoredTry): boolean {
  return errorCode === 'address_refused';
}

async function updateWebhookState(
  tx: Queries,
  { webhookId }: Attempt,
  update: WebhookUpdate & Pick<WebhookRow, 'lastDelivery'>,
): Promise<void> {
  await tx.update(webhooks).set(update).where(eq(webhooks.id, webhookId));
}

function toLastDelivery(eventId: string, { at, status, error }: StoredTry): WebhookDelivery {
  return { at, eventId, delivered: error === null, status, message: error };
}

type WebhookUpdate = Partial<
  Pick<WebhookRow, 'failingSince' | 'failures' | 'pausedUntil' | 'enabled' | 'disabledReason'>
>;

/**
 * Computes the columns of a webhook that change after a failed attempt: the state of its receiver and, after days of
 * failures, the columns that disable the webhook. An attempt that sent no request does not disable it.
 */
function computeFailureUpdate(webhook: WebhookRow, storedTry: StoredTry, now: Date): WebhookUpdate {
  const previousAt = webhook.lastDelivery === null ? undefined : new Date(webhook.lastDelivery.at);
  const state = addFailedAttempt(webhook, { now, previousAt, chance: Math.random() });
  const { failingSince } = state;
  const isDisableable = webhook.enabled && storedTry.errorCode !== 'secret_unreadable';
  if (!isDisableable || failingSince === null || !shouldDisableWebhook(state, now)) return state;
  return { ...state, enabled: false, disabledReason: describeFailingReceiver(failingSince, now) };
}

/** Schedules the next attempt of a delivery after a failed attempt, or ends the delivery. */
async function settleFailedDelivery(
  { tx, log }: { readonly tx: Queries } & Pick<Gateway, 'log'>,
  attempt: Attempt,
  { storedTry, isCurrentUrl, now }: FailedAttempt,
): Promise<void> {
  const { webhookId, eventId } = attempt;
  if (isCurrentUrl && isReceiverGone(storedTry)) {
    await endDelivery(tx, attempt, { at: now, failure: 'receiver_gone', storedTry });
    return failWaitingDeliveries(tx, webhookId, now);
  }
  if (isCurrentUrl && isAddressRefused(storedTry)) {
    return endDelivery(tx, attempt, { at: now, failure: 'address_refused', storedTry });
  }
  const isRetried = await retryDelivery(tx, attempt, now, storedTry);
  if (!isRetried) log.warn({ webhookId, eventId }, 'all attempts to deliver an event to a webhook have failed');
}

function describeUnsubscribedReceiver(now: Date): WebhookDisabledReason {
  return { code: 'receiver_gone', message: 'The URL responded with 410.', at: now.toISOString() };
}

function describeFailingReceiver(since: Date, now: Date): WebhookDisabledReason {
  return {
    code: 'receiver_failing',
    message: `All attempts have failed since ${since.toISOString()}.`,
    at: now.toISOString(),
  };
}
