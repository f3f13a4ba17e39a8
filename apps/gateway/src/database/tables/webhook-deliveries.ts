import type { DeliverWebhook } from '@quarry/contracts';
import { isNotNull, sql } from 'drizzle-orm';
import { index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { createdAtColumn, timeColumn, quarry } from './quarry-schema.js';

/**
 * Events that wait for a webhook to accept them. A row is deleted when the event was accepted or failed for good, or when its
 * webhook is deleted.
 */
export const webhookDeliveries = quarry.table(
  'webhook_deliveries',
  {
    /** The ids are not foreign keys: deleting a webhook must not block the end of a run. */
    webhookId: uuid('webhook_id').notNull(),
    eventId: uuid('event_id').notNull(),
    organizationId: uuid('organization_id').notNull(),
    /** Payload of the job, without the number of the attempt. */
    payload: jsonb('payload').$type<Pick<DeliverWebhook, keyof DeliverWebhook>>().notNull(),
    /** The position of the end of the run in its trace. */
    traceparent: text('traceparent'),
    /** The number of attempts that were enqueued. */
    attempts: integer('attempts').notNull().default(0),
    /**
     * When the next attempt is due; while a job has the delivery, when its claim expires. Earlier versions write rows without it, and
     * retry their own jobs after 80 minutes at most.
     */
    nextAttemptAt: timeColumn('next_attempt_at')
      .notNull()
      .default(sql`now() + interval '2 hours'`),
    /** Until this time, the job of an attempt has the delivery. Null: no job has it. */
    claimedUntil: timeColumn('claimed_until'),
    /** Read by earlier versions only, which enqueue a row again a minute after this time. */
    seenAt: timeColumn('seen_at').notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.eventId] }),
    index('webhook_deliveries_by_seen').on(table.seenAt),
    index('webhook_deliveries_due').on(table.webhookId, table.nextAttemptAt, table.eventId),
    index('webhook_deliveries_claimed').on(table.organizationId, table.webhookId).where(isNotNull(table.claimedUntil)),
    index('webhook_deliveries_by_age').on(table.createdAt),
  ],
);
