import type { WebhookDelivery, WebhookEventType } from '@quarry/contracts';
import { boolean, index, jsonb, text } from 'drizzle-orm/pg-core';
import { organizationId } from './organizations.js';
import { createdAt, id, quarry } from './quarry-schema.js';

/** Stores the addresses to which Quarry delivers the events of an organization. */
export const webhooks = quarry.table(
  'webhooks',
  {
    id: id(),
    organizationId: organizationId(),
    url: text('url').notNull(),
    events: text('events').array().$type<WebhookEventType[]>().notNull(),
    enabled: boolean('enabled').notNull().default(true),
    /** The secret with which Quarry signs events, in encrypted form. */
    encryptedSecret: text('sealed_secret').notNull(),
    lastDelivery: jsonb('last_delivery').$type<Pick<WebhookDelivery, keyof WebhookDelivery>>(),
    createdAt: createdAt(),
  },
  (table) => [index('webhooks_newest').on(table.organizationId, table.id)],
);

export type WebhookRow = typeof webhooks.$inferSelect;
