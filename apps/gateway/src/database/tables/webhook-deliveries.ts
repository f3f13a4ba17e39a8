import type { DeliverWebhook, DeliveryFailure, DeliveryState, DeliveryTry } from '@quarry/contracts';
import { isNotNull, sql } from 'drizzle-orm';
import { index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { createdAtColumn, timeColumn, quarry } from './quarry-schema.js';

/** A delivery attempt, as it is stored. Earlier versions did not store `errorCode`. */
export type StoredTry = Omit<DeliveryTry, 'errorCode'> & Partial<Pick<DeliveryTry, 'errorCode'>>;

/**
 * Stores events for webhooks, with the attempts to deliver them. A row is deleted with its webhook, or after
 * `expiresAt`. Gateways of earlier versions delete a row when its delivery ends.
 */
export const webhookDeliveries = quarry.table(
  'webhook_deliveries',
  {
    /** The ids are not foreign keys, because deleting a webhook must not block the transaction that ends a run. */
    webhookId: uuid('webhook_id').notNull(),
    eventId: uuid('event_id').notNull(),
    organizationId: uuid('organization_id').notNull(),
    /** Payload of the job that makes an attempt, without the number of the attempt. */
    payload: jsonb('payload').$type<Pick<DeliverWebhook, keyof DeliverWebhook>>().notNull(),
    /** The W3C trace context of the job that ended the run. Null: the job is not traced. */
    traceparent: text('traceparent'),
    /** The type of the event. */
    type: text('type').generatedAlwaysAs(sql`coalesce(payload->'event'->>'type', payload->'testEvent'->>'type')`),
    state: text('state').$type<DeliveryState>().notNull().default('waiting'),
    /** Reason for which the delivery failed. Null: the delivery has not failed. */
    failure: text('failure').$type<DeliveryFailure>(),
    /** Number of attempts to deliver the event that were enqueued. */
    attempts: integer('attempts').notNull().default(0),
    /** The value of `attempts` when the delivery was last resent on request. 0: it was never resent. */
    attemptsBefore: integer('attempts_before').notNull().default(0),
    /** The latest attempts that have ended, oldest first. */
    tries: jsonb('tries').$type<StoredTry[]>().notNull().default([]),
    /**
     * When the next attempt is due. While a job has claimed the delivery, the end of that claim. Null: the delivery has
     * ended. The default is for rows of earlier versions, which retry their own jobs after 80 minutes at most.
     */
    nextAttemptAt: timeColumn('next_attempt_at').default(sql`now() + interval '2 hours'`),
    /** End of the claim of the job that makes an attempt. Null: no job has claimed the delivery. */
    claimedUntil: timeColumn('claimed_until'),
    /** Read only by earlier versions, which enqueue the delivery again a minute after this time. */
    seenAt: timeColumn('seen_at').notNull(),
    endedAt: timeColumn('ended_at'),
    /** Time after which the row is deleted. */
    expiresAt: timeColumn('expires_at')
      .notNull()
      .default(sql`now() + interval '30 days'`),
    createdAt: createdAtColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.eventId] }),
    index('webhook_deliveries_by_seen').on(table.seenAt),
    // The index contains no ended deliveries, so that the cost of a claim does not depend on their number.
    index('webhook_deliveries_next')
      .on(table.webhookId, table.nextAttemptAt, table.eventId)
      .where(isNotNull(table.nextAttemptAt)),
    index('webhook_deliveries_claimed').on(table.organizationId, table.webhookId).where(isNotNull(table.claimedUntil)),
    index('webhook_deliveries_by_state').on(table.webhookId, table.state, table.eventId),
    index('webhook_deliveries_by_expiry').on(table.expiresAt),
    index('webhook_deliveries_due_tests')
      .on(table.nextAttemptAt)
      .where(sql`type = 'webhook.test' and next_attempt_at is not null`),
    index('webhook_deliveries_tests')
      .on(table.webhookId, table.createdAt)
      .where(sql`type = 'webhook.test'`),
  ],
);

export type WebhookDeliveryRow = typeof webhookDeliveries.$inferSelect;
