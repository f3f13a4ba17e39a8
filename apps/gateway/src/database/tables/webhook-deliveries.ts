import { index, jsonb, primaryKey, uuid } from 'drizzle-orm/pg-core';
import type { DeliverWebhook } from '@quarry/contracts';
import { createdAt, moment, quarry } from './quarry-schema.js';

/** Events that a webhook has not accepted yet. A row is deleted when it is accepted, has failed for good, or has no webhook any more. */
export const webhookDeliveries = quarry.table(
  'webhook_deliveries',
  {
    /** None of the ids is a reference: a webhook that is deleted while a run ends must not stop the end. */
    webhookId: uuid('webhook_id').notNull(),
    eventId: uuid('event_id').notNull(),
    organizationId: uuid('organization_id').notNull(),
    /** The payload of the job, to enqueue it again when the queue has lost it. */
    payload: jsonb('payload').$type<Pick<DeliverWebhook, keyof DeliverWebhook>>().notNull(),
    /** When the job was last seen, or enqueued. */
    seenAt: moment('seen_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.eventId] }),
    index('webhook_deliveries_by_seen').on(table.seenAt),
  ],
);
