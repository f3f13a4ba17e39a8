import { TEST_EVENT } from '@quarry/contracts';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { webhookDeliveries, type WebhookDeliveryRow } from '../database/tables/webhook-deliveries.js';
import { webhooks, type WebhookRow } from '../database/tables/webhooks.js';
import { problem } from '../problems.js';
import { writeDeliveries } from './deliveries.js';
import { findDelivery } from './delivery-repository.js';

/** Maximum number of test events per webhook within `WINDOW_MS`. */
export const MAX_TEST_EVENTS = 30;
const WINDOW_MS = 3_600_000;

/**
 * Writes a test event for a webhook. The delivery of the event is due at once.
 *
 * @param tx a transaction, during which the webhook stays locked
 * @throws Problem 429 when the webhook has reached its limit of test events
 */
export async function writeTestEvent(
  tx: Queries,
  { id: webhookId, organizationId }: Pick<WebhookRow, 'id' | 'organizationId'>,
  now: Date,
): Promise<WebhookDeliveryRow> {
  // Locks the webhook, so that concurrent requests cannot exceed the limit.
  await tx.select().from(webhooks).where(eq(webhooks.id, webhookId)).for('no key update');
  // The event type is a literal instead of a parameter, so that PostgreSQL can use the index with the same condition.
  const isTest = sql.raw(`type = '${TEST_EVENT}'`);
  const { createdAt } = webhookDeliveries;
  const isRecent = gt(createdAt, new Date(now.getTime() - WINDOW_MS));
  const sent = await tx.$count(webhookDeliveries, and(eq(webhookDeliveries.webhookId, webhookId), isTest, isRecent));
  if (sent >= MAX_TEST_EVENTS) {
    throw problem(
      'too_many_test_events',
      `A webhook can get at most ${MAX_TEST_EVENTS} test events per hour, found ${sent}.`,
    );
  }
  const eventId = newId();
  const testEvent = { type: TEST_EVENT, timestamp: now.toISOString(), data: { webhookId } } as const;
  await writeDeliveries(tx, [{ organizationId, webhookId, eventId, testEvent }], now);
  return findDelivery(tx, { webhookId, eventId });
}
