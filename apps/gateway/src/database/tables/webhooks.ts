import type { WebhookDelivery, WebhookDisabledReason, WebhookEventType } from '@quarry/contracts';
import { isNotNull } from 'drizzle-orm';
import { boolean, index, integer, jsonb, text } from 'drizzle-orm/pg-core';
import { organizationIdColumn } from './organizations.js';
import { createdAtColumn, idColumn, timeColumn, quarry } from './quarry-schema.js';

/** A replaced secret. Until it expires, requests are also signed with it. */
export interface PreviousSecret {
  readonly encrypted: string;
  /** Time until which requests are signed with the secret, in ISO 8601. */
  readonly expiresAt: string;
}

/** Stores the URLs to which the events of an organization are delivered. */
export const webhooks = quarry.table(
  'webhooks',
  {
    id: idColumn(),
    organizationId: organizationIdColumn(),
    url: text('url').notNull(),
    events: text('events').array().$type<WebhookEventType[]>().notNull(),
    enabled: boolean('enabled').notNull().default(true),
    /** Reason for which the gateway disabled the webhook. Null if the webhook is enabled. */
    disabledReason: jsonb('disabled_reason').$type<Pick<WebhookDisabledReason, keyof WebhookDisabledReason>>(),
    /** When the first attempt after the latest success failed. Null: the latest attempt succeeded. */
    failingSince: timeColumn('failing_since'),
    /** The number of failed attempts since the latest success, or since the latest day without attempts. */
    failures: integer('failures').notNull().default(0),
    /** No attempt to deliver an event starts before this time. Null: attempts are not paused. */
    pausedUntil: timeColumn('paused_until'),
    /** The encrypted secret with which requests to the webhook are signed. */
    encryptedSecret: text('sealed_secret').notNull(),
    /** Replaced secrets that have not expired, newest first. */
    previousSecrets: jsonb('previous_secrets').$type<PreviousSecret[]>().notNull().default([]),
    /** When the last of the replaced secrets expires. Null: there are none. */
    previousSecretsUntil: timeColumn('previous_secrets_until'),
    lastDelivery: jsonb('last_delivery').$type<Pick<WebhookDelivery, keyof WebhookDelivery>>(),
    createdAt: createdAtColumn(),
  },
  (table) => [
    index('webhooks_newest').on(table.organizationId, table.id),
    index('webhooks_previous_secrets').on(table.previousSecretsUntil).where(isNotNull(table.previousSecretsUntil)),
  ],
);

export type WebhookRow = typeof webhooks.$inferSelect;
