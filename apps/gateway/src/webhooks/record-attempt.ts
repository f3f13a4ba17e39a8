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

/** The outcome of an attempt. */
export interface AttemptOutcome {
  /**
   * The attempt as it is stored. Contains the URL of the receiver, because a failure pauses or disables the webhook only
   * if the webhook still has this URL.
   */
  readonly storedTry: StoredTry;
  /** True if a further attempt would fail in the same way, because the address is refused. */
  readonly isRefused: boolean;
}

type RecordingParts = Pick<Gateway, 'db' | 'log' | 'clock'>;

/**
 * Records the outcome of an attempt: ends the delivery or schedules its next attempt, and updates the state of the
 * receiver. A test event is attempted once, and leaves the state of the receiver unchanged.
 */
export async function recordAttempt(
  { db, log, clock }: RecordingParts,
  attempt: Attempt,
  type: DeliveredEventType,
  outcome: AttemptOutcome,
): Promise<void> {
  const now = clock();
  const { storedTry, isRefused } = outcome;
  if (type === TEST_EVENT) {
    const failure = storedTry.error === null ? null : isRefused ? 'address_refused' : 'attempts_exhausted';
    return endDelivery(db, attempt, { at: now, failure, storedTry });
  }
  await db.transaction(async (tx) => {
    const [webhook] = await tx.select().from(webhooks).where(eq(webhooks.id, attempt.webhookId)).for('no key update');
    if (webhook === undefined) return deleteDelivery(tx, attempt);
    if (storedTry.error === null) {
      await updateWebhookState(tx, attempt, { lastDelivery: toLastDelivery(attempt.eventId, storedTry), ...HEALTHY });
      return endDelivery(tx, attempt, { at: now, failure: null, storedTry });
    }
    await recordFailedAttempt({ tx, log }, attempt, { webhook, storedTry, now });
    await settleFailedDelivery({ tx, log }, attempt, outcome, { isGone: isReceiverGone(webhook, storedTry), now });
  });
}

interface FailedAttempt {
  readonly webhook: WebhookRow;
  readonly storedTry: StoredTry;
  readonly now: Date;
}

/** Pauses deliveries to the receiver of a failed attempt, or disables its webhook. */
async function recordFailedAttempt(
  { tx, log }: { readonly tx: Queries } & Pick<Gateway, 'log'>,
  attempt: Attempt,
  { webhook, storedTry, now }: FailedAttempt,
): Promise<void> {
  const { webhookId, eventId } = attempt;
  const disabledReason = isReceiverGone(webhook, storedTry) ? describeUnsubscribedReceiver(now) : undefined;
  const state = webhook.url === storedTry.url ? computeFailureUpdate(webhook, now) : {};
  const update = { ...state, ...(disabledReason && { enabled: false, disabledReason }) };
  await updateWebhookState(tx, attempt, { lastDelivery: toLastDelivery(eventId, storedTry), ...update });
  const { organizationId } = webhook;
  if (webhook.enabled && update.enabled === false) {
    log.warn({ webhookId, organizationId, reason: update.disabledReason }, 'a webhook is disabled');
  }
}

/** Returns whether the receiver at the current URL of the webhook has unsubscribed. */
function isReceiverGone(webhook: WebhookRow, { status, url }: StoredTry): boolean {
  return status === STATUS_GONE && url === webhook.url;
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
 * failures, the columns that disable the webhook.
 */
function computeFailureUpdate(webhook: WebhookRow, now: Date): WebhookUpdate {
  const previousAt = webhook.lastDelivery === null ? undefined : new Date(webhook.lastDelivery.at);
  const state = addFailedAttempt(webhook, { now, previousAt, chance: Math.random() });
  const { failingSince } = state;
  if (!webhook.enabled || failingSince === null || !shouldDisableWebhook(state, now)) return state;
  return { ...state, enabled: false, disabledReason: describeFailingReceiver(failingSince, now) };
}

/** Schedules the next attempt of a delivery after a failed attempt, or ends the delivery. */
async function settleFailedDelivery(
  { tx, log }: { readonly tx: Queries } & Pick<Gateway, 'log'>,
  attempt: Attempt,
  { storedTry, isRefused }: AttemptOutcome,
  { isGone, now }: { readonly isGone: boolean; readonly now: Date },
): Promise<void> {
  const { webhookId, eventId } = attempt;
  if (isGone) {
    await endDelivery(tx, attempt, { at: now, failure: 'receiver_gone', storedTry });
    return failWaitingDeliveries(tx, webhookId, now);
  }
  if (isRefused) return endDelivery(tx, attempt, { at: now, failure: 'address_refused', storedTry });
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
