import type { WebhookDelivery, WebhookDisabledReason, WebhookEventType } from '@quarry/contracts';
import { boolean, index, integer, jsonb, text } from 'drizzle-orm/pg-core';
import { organizationIdColumn } from './organizations.js';
import { createdAtColumn, idColumn, timeColumn, quarry } from './quarry-schema.js';

/** Addresses to which an organization wants its events delivered. */
export const webhooks = quarry.table(
  'webhooks',
  {
    id: idColumn(),
    organizationId: organizationIdColumn(),
    url: text('url').notNull(),
    events: text('events').array().$type<WebhookEventType[]>().notNull(),
    enabled: boolean('enabled').notNull().default(true),
    /** Why the gateway disabled the webhook. Null: it did not. */
    disabledReason: jsonb('disabled_reason').$type<Pick<WebhookDisabledReason, keyof WebhookDisabledReason>>(),
    /** When the first attempt failed since the latest success. Null: the latest attempt succeeded. */
    failingSince: timeColumn('failing_since'),
    /** The number of failed attempts since the latest success, or since a day without attempts. */
    failures: integer('failures').notNull().default(0),
    /** No attempt starts before this time. */
    pausedUntil: timeColumn('paused_until'),
    /** The encrypted secret with which events are signed. */
    encryptedSecret: text('sealed_secret').notNull(),
    lastDelivery: jsonb('last_delivery').$type<Pick<WebhookDelivery, keyof WebhookDelivery>>(),
    createdAt: createdAtColumn(),
  },
  (table) => [index('webhooks_newest').on(table.organizationId, table.id)],
);

export type WebhookRow = typeof webhooks.$inferSelect;
