import { getCurrentTrace } from '@quarry/service-kit';
import { and, eq, gt, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { type DeliverWebhook, type DeliveryFailure, MAX_STORED_TRIES } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { describeRowColumns } from '../database/update-rows.js';
import { type StoredTry, webhookDeliveries, type WebhookDeliveryRow } from '../database/tables/webhook-deliveries.js';
import { computeNextAttempt, EVENT_RETRY } from './event-retry.js';

/** Maximum number of rows per statement, because PostgreSQL limits a statement to 65,535 parameters. */
const MAX_ROWS = 5_000;
/**
 * Time in milliseconds after which gateways of earlier versions enqueue a delivery that is still waiting. Longer than a
 * rolling upgrade, so that these gateways enqueue deliveries only after a downgrade.
 */
const EARLIER_VERSIONS_WAIT_MS = 3_600_000;
/**
 * Duration of the claim of a delivery in milliseconds: longer than an attempt and its time in the queue. After this
 * time, the delivery of a killed gateway can be claimed by a different gateway.
 */
export const LEASE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Maximum time in milliseconds for which an event waits while the receiver fails or the webhook is disabled. */
export const WAITING_RETENTION_MS = 30 * DAY_MS;
/** Time in milliseconds for which a delivery that has ended can be read and resent. */
export const ENDED_RETENTION_MS = 7 * DAY_MS;

/** Identifies a delivery. */
export type DeliveryId = Pick<DeliverWebhook, 'webhookId' | 'eventId'>;

/** Identifies one attempt of a delivery. */
export interface Attempt extends DeliveryId {
  readonly attempt: number;
}

/**
 * Writes deliveries to webhooks. The deliveries are due at once.
 *
 * @param tx the transaction that stores the state that the events report, so that neither exists without the other
 */
export async function writeDeliveries(tx: Queries, payloads: readonly DeliverWebhook[], now: Date): Promise<void> {
  const rows = buildDeliveryRows(payloads, now);
  for (let start = 0; start < rows.length; start += MAX_ROWS) {
    await tx.insert(webhookDeliveries).values(rows.slice(start, start + MAX_ROWS));
  }
}

const WRITTEN_COLUMNS = [
  'webhookId',
  'eventId',
  'organizationId',
  'payload',
  'traceparent',
  'nextAttemptAt',
  'createdAt',
  'seenAt',
  'expiresAt',
] as const;

function buildDeliveryRows(payloads: readonly DeliverWebhook[], now: Date) {
  const traceparent = getCurrentTrace() ?? null;
  const times = { createdAt: now, ...buildWaitingTimes(now) };
  return payloads.map((payload) => {
    const { webhookId, eventId, organizationId } = payload;
    return { webhookId, eventId, organizationId, payload, traceparent, ...times };
  });
}

const deliveryColumns = describeRowColumns(webhookDeliveries, WRITTEN_COLUMNS);

/**
 * Builds an SQL insert that writes deliveries if a condition is met. The insert must be part of the statement that
 * stores the state that the events report.
 */
export function buildDeliveryInsert(payloads: readonly DeliverWebhook[], now: Date, condition: SQL): SQL {
  const { names, buildValuesSource } = deliveryColumns;
  return sql`insert into ${webhookDeliveries} (${names})
    select ${names} from ${buildValuesSource(buildDeliveryRows(payloads, now), 'given')} where ${condition}`;
}

/** Builds the time columns of a waiting delivery that is due now. */
export function buildWaitingTimes(now: Date): Pick<WebhookDeliveryRow, 'nextAttemptAt' | 'seenAt' | 'expiresAt'> {
  return {
    nextAttemptAt: now,
    seenAt: new Date(now.getTime() + EARLIER_VERSIONS_WAIT_MS),
    expiresAt: new Date(now.getTime() + WAITING_RETENTION_MS),
  };
}

/** Deletes a delivery, because its webhook was deleted or the queue refuses its job. */
export async function deleteDelivery(db: Queries, id: DeliveryId): Promise<void> {
  await db.delete(webhookDeliveries).where(buildDeliveryCondition(id));
}

/** Describes the end of a delivery. */
export interface DeliveryEnd {
  readonly at: Date;
  /** The reason why the delivery failed. Null: the receiver accepted the event. */
  readonly failure: DeliveryFailure | null;
  /** The result of the attempt that ended the delivery. */
  readonly storedTry: StoredTry;
}

/** Ends a delivery that the receiver accepted or that failed permanently. */
export async function endDelivery(db: Queries, id: DeliveryId, { at, failure, storedTry }: DeliveryEnd): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ ...buildEndColumns(at, failure), tries: buildAppendedTries(storedTry) })
    .where(buildDeliveryCondition(id));
}

function buildEndColumns(at: Date, failure: DeliveryFailure | null) {
  const expiresAt = new Date(at.getTime() + ENDED_RETENTION_MS);
  return {
    state: failure === null ? ('delivered' as const) : ('failed' as const),
    ...{ failure, endedAt: at, expiresAt, nextAttemptAt: null, claimedUntil: null },
    // Gateways of earlier versions use only this time to find due or expired rows.
    seenAt: expiresAt,
  };
}

/**
 * Builds SQL that appends an attempt to the stored attempts of a delivery. If the maximum number is stored, the oldest
 * attempt is removed.
 */
function buildAppendedTries(storedTry: StoredTry): SQL<StoredTry[]> {
  const { tries } = webhookDeliveries;
  return sql`(case when jsonb_array_length(${tries}) < ${MAX_STORED_TRIES} then ${tries} else ${tries} - 0 end)
    || ${JSON.stringify([storedTry])}::jsonb`;
}

/**
 * Extends the claim of a delivery, because the claimed attempt is about to start.
 *
 * @returns false if the attempt is out of date: the delivery has ended, or the claim was released or has expired and
 *   another attempt has claimed the delivery
 */
export async function renewDeliveryClaim(db: Queries, attempt: Attempt, now: Date): Promise<boolean> {
  const until = getDeliveryLeaseEnd(now);
  const rows = await db
    .update(webhookDeliveries)
    .set({ claimedUntil: until, nextAttemptAt: until })
    .where(buildClaimCondition(attempt))
    .returning({ eventId: webhookDeliveries.eventId });
  return rows.length > 0;
}

/**
 * Releases the claim of an attempt that did not start. The delivery is due at once, and before deliveries of newer
 * events.
 */
export async function releaseDeliveryClaim(db: Queries, attempt: Attempt): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ claimedUntil: null, nextAttemptAt: sql`${webhookDeliveries.createdAt}` })
    .where(buildClaimCondition(attempt));
}

/**
 * Releases the claims of attempts whose jobs were not enqueued. Subtracts these attempts from the numbers of attempts
 * of their deliveries.
 */
export async function releaseUnenqueuedClaims(db: Queries, claimedAttempts: readonly Attempt[]): Promise<void> {
  const { webhookId, eventId, attempts, createdAt } = webhookDeliveries;
  const ids = sql`select * from unnest(
    ${sql.param(claimedAttempts.map((each) => each.webhookId))}::uuid[],
    ${sql.param(claimedAttempts.map((each) => each.eventId))}::uuid[],
    ${sql.param(claimedAttempts.map((each) => each.attempt))}::int[])`;
  await db
    .update(webhookDeliveries)
    .set({ claimedUntil: null, nextAttemptAt: sql`${createdAt}`, attempts: sql`${attempts} - 1` })
    .where(sql`(${webhookId}, ${eventId}, ${attempts}) in (${ids})`);
}

/**
 * Ends a failed attempt: schedules the next attempt, or ends the delivery after its last attempt.
 *
 * @param storedTry the result of the attempt; undefined if the attempt failed before it sent a request
 * @returns false if the attempt was the last one; otherwise true
 */
export async function retryDelivery(db: Queries, attempt: Attempt, now: Date, storedTry?: StoredTry): Promise<boolean> {
  const tries = storedTry === undefined ? {} : { tries: buildAppendedTries(storedTry) };
  const [row] = await db
    .select({ attemptsBefore: webhookDeliveries.attemptsBefore })
    .from(webhookDeliveries)
    .where(buildClaimCondition(attempt));
  if (row === undefined) return true;
  const attempts = attempt.attempt - row.attemptsBefore;
  const isLast = attempts >= EVENT_RETRY.attempts;
  const set = isLast
    ? buildEndColumns(now, 'attempts_exhausted')
    : { claimedUntil: null, nextAttemptAt: computeNextAttempt(attempts, now, Math.random()) };
  await db
    .update(webhookDeliveries)
    .set({ ...set, ...tries })
    .where(buildClaimCondition(attempt));
  return !isLast;
}

/**
 * Makes a delivery due that has not been attempted, because its job is of an earlier version of Quarry, which had no
 * claims.
 */
export async function makeDeliveryDue(db: Queries, id: DeliveryId, now: Date): Promise<void> {
  const { attempts, claimedUntil, nextAttemptAt } = webhookDeliveries;
  await db
    .update(webhookDeliveries)
    .set(buildWaitingTimes(now))
    .where(and(buildDeliveryCondition(id), isNotNull(nextAttemptAt), eq(attempts, 0), isNull(claimedUntil)));
}

/**
 * Makes those waiting deliveries of a webhook due that have failed before and are not being attempted. The oldest is
 * attempted first.
 */
export async function makeDeliveriesDue(tx: Queries, webhookId: string): Promise<void> {
  const { attempts, claimedUntil, createdAt, nextAttemptAt } = webhookDeliveries;
  const isWaiting = and(isNotNull(nextAttemptAt), gt(attempts, 0), isNull(claimedUntil));
  await tx
    .update(webhookDeliveries)
    .set({ nextAttemptAt: sql`${createdAt}` })
    .where(and(eq(webhookDeliveries.webhookId, webhookId), isWaiting));
}

/** Marks all waiting deliveries of a webhook as failed, because its receiver unsubscribed. */
export async function failWaitingDeliveries(tx: Queries, webhookId: string, now: Date): Promise<void> {
  const isWaiting = isNotNull(webhookDeliveries.nextAttemptAt);
  await tx
    .update(webhookDeliveries)
    .set(buildEndColumns(now, 'receiver_gone'))
    .where(and(eq(webhookDeliveries.webhookId, webhookId), isWaiting));
}

/** Deletes all deliveries of a webhook. */
export async function deleteAllDeliveries(tx: Queries, webhookId: string): Promise<void> {
  await tx.delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhookId));
}

export function getDeliveryLeaseEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}

export function buildDeliveryCondition({ webhookId, eventId }: DeliveryId): SQL | undefined {
  return and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.eventId, eventId));
}

function buildClaimCondition(attempt: Attempt): SQL | undefined {
  const { attempts, claimedUntil } = webhookDeliveries;
  return and(buildDeliveryCondition(attempt), eq(attempts, attempt.attempt), isNotNull(claimedUntil));
}
