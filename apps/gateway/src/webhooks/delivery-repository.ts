import { type DeliveredEventType, type DeliveryState, type EndedDeliveryState, TEST_EVENT } from '@quarry/contracts';
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, ne, sql, type SQL } from 'drizzle-orm';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Queries } from '../database/database.js';
import { webhookDeliveries, type WebhookDeliveryRow } from '../database/tables/webhook-deliveries.js';
import type { PageRequest } from '../paging/pages.js';
import { problem } from '../problems.js';
import { buildWaitingTimes, type DeliveryId, buildDeliveryCondition } from './deliveries.js';

/** Selects deliveries of a webhook. A delivery must meet all conditions that are not undefined. */
interface DeliveryFilter {
  readonly state: DeliveryState | undefined;
  readonly type: DeliveredEventType | undefined;
}

/**
 * Lists the deliveries of a webhook, newest first.
 *
 * @returns one row more than the page size if there are more deliveries
 */
export async function listDeliveries(
  db: Queries,
  webhookId: string,
  { state, type }: DeliveryFilter,
  page: PageRequest,
): Promise<readonly WebhookDeliveryRow[]> {
  const { eventId } = webhookDeliveries;
  const filters = [
    state && eq(webhookDeliveries.state, state),
    type && eq(webhookDeliveries.type, type),
    page.before === undefined ? undefined : lt(eventId, page.before),
  ];
  return db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), ...filters))
    .orderBy(desc(eventId))
    .limit(page.limit + 1);
}

/** Returns a delivery. @throws Problem 404 if it does not exist */
export async function findDelivery(db: Queries, id: DeliveryId): Promise<WebhookDeliveryRow> {
  const [row] = await db.select().from(webhookDeliveries).where(buildDeliveryCondition(id));
  if (row === undefined) throw createNotFoundProblem('delivery', id.eventId);
  return row;
}

/**
 * Makes a delivery due again, with the same event id. A delivery that still waits for its next attempt is due at once.
 * A delivery with an attempt in progress stays unchanged.
 *
 * @throws Problem 404 if it does not exist; 409 for a test event, because resending it would bypass the limit of test
 *   events and the pause of the webhook
 */
export async function resendDelivery(db: Queries, id: DeliveryId, now: Date): Promise<WebhookDeliveryRow> {
  const found = await findDelivery(db, id);
  if (found.type === TEST_EVENT) throw problem('test_event', 'Send a new test event instead.');
  await makeDeliveriesWaiting(db, buildDeliveryCondition(id), now);
  return findDelivery(db, id);
}

/** Selects the deliveries to resend: those of events since `since` that ended in one of the given states. */
interface ResendFilter {
  readonly since: Date;
  readonly states: readonly EndedDeliveryState[];
  /** The id of the last event that the previous request has resent. Undefined: there was no previous request. */
  readonly after: string | undefined;
  readonly limit: number;
}

/**
 * Makes ended deliveries of a webhook due again, oldest first.
 *
 * @returns `last`: the id of the last event that was resent, for `after` of the next request; undefined if no more
 *   deliveries match
 */
export async function resendDeliveries(
  tx: Queries,
  webhookId: string,
  { since, states, after, limit }: ResendFilter,
  now: Date,
): Promise<{ readonly resent: number; readonly last: string | undefined }> {
  const { createdAt, eventId, state, type } = webhookDeliveries;
  const later = after === undefined ? undefined : gt(eventId, after);
  const rows = await tx
    .select({ eventId })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        ...[inArray(state, [...states]), ne(type, TEST_EVENT), gte(createdAt, since), later],
      ),
    )
    .orderBy(asc(eventId))
    .limit(limit + 1);
  const ids = rows.slice(0, limit).map((row) => row.eventId);
  const isChosen = and(
    eq(webhookDeliveries.webhookId, webhookId),
    inArray(eventId, ids),
    isNotNull(webhookDeliveries.endedAt),
  );
  const resent = ids.length === 0 ? 0 : await makeDeliveriesWaiting(tx, isChosen, now);
  return { resent, last: rows.length > limit ? ids.at(-1) : undefined };
}

async function makeDeliveriesWaiting(db: Queries, condition: SQL | undefined, now: Date): Promise<number> {
  const { attempts, claimedUntil } = webhookDeliveries;
  const { rowCount } = await db
    .update(webhookDeliveries)
    .set({
      ...buildWaitingTimes(now),
      state: 'waiting',
      failure: null,
      endedAt: null,
      attemptsBefore: sql`${attempts}`,
    })
    .where(and(condition, isNull(claimedUntil)));
  return rowCount ?? 0;
}
