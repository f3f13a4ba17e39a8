import { webhookQueue, type DeliverWebhook } from '@quarry/contracts';
import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { outbox } from '../database/tables/outbox.js';
import { webhookDeliveries } from '../database/tables/webhook-deliveries.js';
import type { Gateway } from '../gateway.js';
import { buildOutboxJob, writeOutbox } from '../outbox/outbox.js';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.js';

/** Maximum number of deliveries in one transaction. */
const BATCH = 500;
/** Maximum number of jobs that one examination looks up in the queue. */
const MAX_DELIVERIES_PER_EXAMINATION = 20_000;
const MAX_PARALLEL_LOOKUPS = 25;

/** Writes deliveries to webhooks, and their jobs to the outbox. @param tx the transaction that writes the reported data */
export async function writeDeliveries(
  tx: Queries,
  organizationId: string,
  payloads: readonly DeliverWebhook[],
  now: Date,
): Promise<void> {
  if (payloads.length === 0) return;
  const rows = payloads.map(({ webhookId, eventId, event }) => ({
    ...{ webhookId, eventId, organizationId, seenAt: now },
    payload: { organizationId, webhookId, eventId, event },
  }));
  await tx.insert(webhookDeliveries).values(rows);
  await writeOutbox(tx, organizationId, payloads.map(buildJob));
}

/** Deletes a delivery that the receiver accepted or that failed permanently. */
export async function endDelivery(
  db: Queries,
  { webhookId, eventId }: Pick<DeliverWebhook, 'webhookId' | 'eventId'>,
): Promise<void> {
  await db
    .delete(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.eventId, eventId)));
}

/**
 * Enqueues deliveries again whose jobs the queue has lost. A webhook may receive an event twice, with the same id.
 *
 * @returns the number of repeated deliveries
 */
export async function repeatDeliveries(
  gateway: Pick<Gateway, 'db' | 'queues' | 'log' | 'clock' | 'watchMs' | 'outboxWritten'>,
): Promise<number> {
  const { db, log, clock, watchMs, outboxWritten } = gateway;
  const now = clock();
  const before = new Date(now.getTime() - watchMs);
  let examined = 0;
  let repeated = 0;
  for (let found = BATCH; found === BATCH && examined < MAX_DELIVERIES_PER_EXAMINATION; examined += found) {
    const unseen = await findUncheckedDeliveries(db, before);
    found = unseen.length;
    // No transaction is open here: the queue may be slow, and ended deliveries may be deleted in the meantime.
    const lost = new Set((await findLostDeliveries(gateway.queues, unseen)).map(buildJobId));
    await db.transaction(async (tx) => {
      const waiting = (await markChecked(tx, unseen, now)).filter((payload) => lost.has(buildJobId(payload)));
      for (const [organizationId, jobs] of Map.groupBy(waiting, (payload) => payload.organizationId)) {
        await writeOutbox(tx, organizationId, jobs.map(buildJob));
      }
      repeated += waiting.length;
    });
  }
  if (repeated > 0) {
    log.warn({ deliveries: repeated }, 'lost deliveries to webhooks are enqueued again');
    outboxWritten.wake();
  }
  return repeated;
}

/** Finds deliveries that were last checked before a given time, and whose jobs are not in the outbox. */
async function findUncheckedDeliveries(db: Queries, before: Date): Promise<readonly DeliverWebhook[]> {
  const inOutbox = sql`exists (select 1 from ${outbox} where ${outbox.queue} = ${webhookQueue.name}
    and ${outbox.payload} ->> 'eventId' = ${webhookDeliveries.eventId}::text
    and ${outbox.payload} ->> 'webhookId' = ${webhookDeliveries.webhookId}::text)`;
  const rows = await db
    .select({ payload: webhookDeliveries.payload })
    .from(webhookDeliveries)
    .where(and(lte(webhookDeliveries.seenAt, before), sql`not ${inOutbox}`))
    .orderBy(asc(webhookDeliveries.seenAt))
    .limit(BATCH);
  return rows.map(({ payload }) => payload);
}

/** Finds deliveries whose job is not in the queue. A job in any state is not lost. */
async function findLostDeliveries(
  queues: Pick<Gateway['queues'], 'find'>,
  payloads: readonly DeliverWebhook[],
): Promise<readonly DeliverWebhook[]> {
  const lost: DeliverWebhook[] = [];
  await forEachConcurrently(MAX_PARALLEL_LOOKUPS, payloads, async (payload) => {
    if ((await queues.find(webhookQueue, buildJobId(payload))) === undefined) lost.push(payload);
  });
  return lost;
}

/** Marks deliveries as checked. @returns the deliveries that still exist */
async function markChecked(
  tx: Queries,
  payloads: readonly DeliverWebhook[],
  now: Date,
): Promise<readonly DeliverWebhook[]> {
  if (payloads.length === 0) return [];
  const [webhookIds, eventIds] = [payloads.map(({ webhookId }) => webhookId), payloads.map(({ eventId }) => eventId)];
  const rows = await tx
    .update(webhookDeliveries)
    .set({ seenAt: now })
    .where(
      sql`(${webhookDeliveries.webhookId}, ${webhookDeliveries.eventId}) in
        (select * from unnest(${sql.param(webhookIds)}::uuid[], ${sql.param(eventIds)}::uuid[]))`,
    )
    .returning({ payload: webhookDeliveries.payload });
  return rows.map(({ payload }) => payload);
}

/** Builds the job id of a delivery. */
function buildJobId(payload: DeliverWebhook): string {
  return webhookQueue.jobs['deliver-webhook'].id(payload);
}

function buildJob(payload: DeliverWebhook): ReturnType<typeof buildOutboxJob> {
  return buildOutboxJob(webhookQueue, { name: 'deliver-webhook', payload, class: 'sync' });
}
