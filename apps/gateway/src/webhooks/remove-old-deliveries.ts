import type { DeliveryState } from '@quarry/contracts';
import { lte, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { webhookDeliveries } from '../database/tables/webhook-deliveries.js';
import { webhooks } from '../database/tables/webhooks.js';
import type { Gateway } from '../gateway.js';
import { buildLooseWebhookScan } from './claim-deliveries.js';
import { removeExpiredSecrets } from './rotate-webhook-secret.js';

/** Maximum number of deliveries that one statement deletes. */
const BATCH = 1_000;
/** Maximum number of statements with which one call of `removeOldDeliveries` deletes expired deliveries. */
const MAX_BATCHES = 50;

/**
 * Deletes expired deliveries and expired secrets of webhooks. Also deletes deliveries of deleted webhooks, because an
 * event can be written while its webhook is being deleted.
 *
 * @returns the number of deleted deliveries that were still waiting
 */
export async function removeOldDeliveries({ db, log, clock }: Pick<Gateway, 'db' | 'log' | 'clock'>): Promise<number> {
  const now = clock();
  let dropped = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const removed = await removeExpiredDeliveryBatch(db, now);
    dropped += removed.filter(({ state }) => state === 'waiting').length;
    if (removed.length < BATCH) break;
  }
  if (dropped > 0) log.warn({ deliveries: dropped }, 'deleted events that no receiver accepted for 30 days');
  await db.execute(sql`with recursive ${buildLooseWebhookScan(sql`true`)}
    delete from ${webhookDeliveries} where webhook_id in (
      select waiting.webhook_id from waiting
      where not exists (select 1 from ${webhooks} w where w.id = waiting.webhook_id))`);
  await removeExpiredSecrets(db, now);
  return dropped;
}

async function removeExpiredDeliveryBatch(
  db: Queries,
  now: Date,
): Promise<readonly { readonly state: DeliveryState }[]> {
  const expired = db
    .select({ webhookId: webhookDeliveries.webhookId, eventId: webhookDeliveries.eventId })
    .from(webhookDeliveries)
    .where(lte(webhookDeliveries.expiresAt, now))
    .limit(BATCH);
  return db
    .delete(webhookDeliveries)
    .where(sql`(${webhookDeliveries.webhookId}, ${webhookDeliveries.eventId}) in ${expired}`)
    .returning({ state: webhookDeliveries.state });
}
