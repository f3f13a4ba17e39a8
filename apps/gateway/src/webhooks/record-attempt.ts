import type { WebhookDelivery, WebhookDisabledReason } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { webhooks, type WebhookRow } from '../database/tables/webhooks.js';
import type { Gateway } from '../gateway.js';
import { addFailedAttempt, HEALTHY, shouldDisableWebhook } from './receiver-state.js';
import { endAllDeliveries, endDelivery, retryDelivery, type Attempt } from './deliveries.js';

/** The status with which a receiver unsubscribes. Source: Standard Webhooks, "Delivery". */
const STATUS_GONE = 410;

/** The outcome of an attempt. */
export interface AttemptOutcome {
  readonly at: string;
  readonly status: number | null;
  /** Why the receiver did not accept the event. Null: it did. */
  readonly message: string | null;
  /** True when another attempt would fail in the same way. */
  readonly isRefused: boolean;
}

type RecordingParts = Pick<Gateway, 'db' | 'log' | 'clock'>;

/**
 * Records the outcome of an attempt: ends the delivery or schedules its next attempt, and updates the state of the receiver.
 *
 * @param url the address of the attempt; its failure does not pause an address that replaced it
 */
export async function recordAttempt(
  { db, log, clock }: RecordingParts,
  attempt: Attempt,
  url: string,
  outcome: AttemptOutcome,
): Promise<void> {
  const now = clock();
  const { webhookId, eventId } = attempt;
  await db.transaction(async (tx) => {
    const [webhook] = await tx.select().from(webhooks).where(eq(webhooks.id, webhookId)).for('no key update');
    if (webhook === undefined) return endDelivery(tx, attempt);
    const lastDelivery = toLastDelivery(eventId, outcome);
    if (outcome.message === null) {
      await tx
        .update(webhooks)
        .set({ lastDelivery, ...HEALTHY })
        .where(eq(webhooks.id, webhookId));
      return endDelivery(tx, attempt);
    }
    const disabledReason = outcome.status === STATUS_GONE ? describeRemovedReceiver(now) : undefined;
    const state = webhook.url === url ? readFailure(webhook, now) : {};
    const update = { ...state, ...(disabledReason && { enabled: false, disabledReason }) };
    await tx
      .update(webhooks)
      .set({ lastDelivery, ...update })
      .where(eq(webhooks.id, webhookId));
    const { organizationId } = webhook;
    if (webhook.enabled && update.enabled === false) {
      log.warn({ webhookId, organizationId, reason: update.disabledReason }, 'a webhook is disabled');
    }
    await settleFailedDelivery({ tx, log }, attempt, outcome, now);
  });
}

function toLastDelivery(eventId: string, { at, status, message }: AttemptOutcome): WebhookDelivery {
  return { at, eventId, delivered: message === null, status, message };
}

type WebhookUpdate = Partial<
  Pick<WebhookRow, 'failingSince' | 'failures' | 'pausedUntil' | 'enabled' | 'disabledReason'>
>;

/** Adds a failed attempt to the state of a receiver, and disables its webhook after days of failure. */
function readFailure(webhook: WebhookRow, now: Date): WebhookUpdate {
  const previousAt = webhook.lastDelivery === null ? undefined : new Date(webhook.lastDelivery.at);
  const state = addFailedAttempt(webhook, { now, previousAt, chance: Math.random() });
  const { failingSince } = state;
  if (!webhook.enabled || failingSince === null || !shouldDisableWebhook(state, now)) return state;
  return { ...state, enabled: false, disabledReason: describeFailingReceiver(failingSince, now) };
}

/** Ends or repeats the delivery of a failed attempt. */
async function settleFailedDelivery(
  { tx, log }: { readonly tx: Queries } & Pick<Gateway, 'log'>,
  attempt: Attempt,
  { status, isRefused }: AttemptOutcome,
  now: Date,
): Promise<void> {
  const { webhookId, eventId } = attempt;
  if (status === STATUS_GONE) return endAllDeliveries(tx, webhookId);
  if (isRefused) return endDelivery(tx, attempt);
  const isRetried = await retryDelivery(tx, attempt, now);
  if (!isRetried)
    log.warn({ webhookId, eventId }, 'all attempts to deliver an event to a webhook have failed; the event is deleted');
}

function describeRemovedReceiver(now: Date): WebhookDisabledReason {
  return { code: 'receiver_gone', message: 'The URL responded with 410.', at: now.toISOString() };
}

function describeFailingReceiver(since: Date, now: Date): WebhookDisabledReason {
  return {
    code: 'receiver_failing',
    message: `All attempts have failed since ${since.toISOString()}.`,
    at: now.toISOString(),
  };
}
