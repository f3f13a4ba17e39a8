import { index, jsonb, primaryKey, uuid } from 'drizzle-orm/pg-core';
import type { DeliverWebhook } from '@quarry/contracts';
import { createdAt, moment, quarry } from './quarry-schema.js';

/**
 * Events that a webhook has not accepted. A row is deleted when the event was accepted or failed for good, or when its webhook is
 * deleted.
 */
export const webhookDeliveries = quarry.table(
  'webhook_deliveries',
  {
    /** The ids are not foreign keys: deleting a webhook must not block the end of a run. */
    webhookId: uuid('webhook_id').notNull(),
    eventId: uuid('event_id').notNull(),
    organizationId: uuid('organization_id').notNull(),
    /** Payload of the job, to enqueue it again when the queue has lost it. */
    payload: jsonb('payload').$type<Pick<DeliverWebhook, keyof DeliverWebhook>>().notNull(),
    /** When the job was last found in its queue, or enqueued. */
    seenAt: moment('seen_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.eventId] }),
    index('webhook_deliveries_by_seen').on(table.seenAt),
  ],
);
