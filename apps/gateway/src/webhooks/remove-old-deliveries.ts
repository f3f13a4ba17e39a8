import { lte, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { webhookDeliveries } from '../database/tables/webhook-deliveries.js';
import { webhooks } from '../database/tables/webhooks.js';
import type { Gateway } from '../gateway.js';
import { WAITING_WEBHOOKS } from './claim-deliveries.js';

/** Maximum number of rows per transaction, and of transactions per call. */
const BATCH = 1_000;
const MAX_BATCHES = 50;
const DAY_MS = 86_400_000;
/** How long an event waits for a receiver that fails, or for a webhook that is disabled. */
export const DELIVERY_RETENTION_MS = 30 * DAY_MS;

/**
 * Deletes deliveries that have waited for too long, and those of deleted webhooks: an event can be written while its webhook is
 * deleted.
 *
 * @returns the number of deleted deliveries
 */
export async function removeOldDeliveries({ db, log, clock }: Pick<Gateway, 'db' | 'log' | 'clock'>): Promise<number> {
  let removed = 0;
  const before = new Date(clock().getTime() - DELIVERY_RETENTION_MS);
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const found = await removeDeliveryBatch(db, before);
    removed += found;
    if (found < BATCH) break;
  }
  if (removed > 0) log.warn({ deliveries: removed }, 'events that no receiver accepted for 30 days are deleted');
  await db.execute(sql`with recursive ${WAITING_WEBHOOKS}
    delete from ${webhookDeliveries} where webhook_id in (
      select waiting.webhook_id from waiting
      where not exists (select 1 from ${webhooks} w where w.id = waiting.webhook_id))`);
  return removed;
}

async function removeDeliveryBatch(db: Queries, before: Date): Promise<number> {
  const old = db
    .select({ webhookId: webhookDeliveries.webhookId, eventId: webhookDeliveries.eventId })
    .from(webhookDeliveries)
    .where(lte(webhookDeliveries.createdAt, before))
    .limit(BATCH);
  const { rowCount } = await db
    .delete(webhookDeliveries)
    .where(sql`(${webhookDeliveries.webhookId}, ${webhookDeliveries.eventId}) in ${old}`);
  return rowCount ?? 0;
}
