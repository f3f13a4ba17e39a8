import { index, jsonb, primaryKey, uuid } from 'drizzle-orm/pg-core';
import type { DeliverWebhook } from '@quarry/contracts';
import { createdAt, moment, quarry } from './quarry-schema.js';

/**
 * Stores events that must still be delivered to a webhook. A row is deleted when the event was accepted, when its last attempt
 * failed, or when the webhook is deleted.
 */
export const webhookDeliveries = quarry.table(
  'webhook_deliveries',
  {
    /** The ids are not foreign keys: deleting a webhook must not block the end of a run. */
    webhookId: uuid('webhook_id').notNull(),
    eventId: uuid('event_id').notNull(),
    organizationId: uuid('organization_id').notNull(),
    /** Payload of the delivery job, with which a lost job is enqueued again. */
    payload: jsonb('payload').$type<Pick<DeliverWebhook, keyof DeliverWebhook>>().notNull(),
    /** When the delivery job was enqueued, or last seen in its queue. */
    seenAt: moment('seen_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.eventId] }),
    index('webhook_deliveries_by_seen').on(table.seenAt),
  ],
);
