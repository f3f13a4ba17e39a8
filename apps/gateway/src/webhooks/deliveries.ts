import { getCurrentTrace } from '@quarry/service-kit';
import { and, eq, gt, inArray, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { type DeliverWebhook, isSettled, type WebhookEventType } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { describeColumns } from '../database/update-rows.js';
import { webhookDeliveries } from '../database/tables/webhook-deliveries.js';
import { newId } from '../database/id.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import type { RunRow } from '../database/tables/runs.js';
import { webhooks } from '../database/tables/webhooks.js';
import { computeNextAttempt, EVENT_RETRY } from './receiver-state.js';

/** Maximum number of rows per statement, which keeps it below PostgreSQL's limit of 65,535 parameters. */
const MAX_ROWS = 5_000;
/**
 * The time after which gateways of earlier versions enqueue a delivery: later than the end of a rolling upgrade, so that only a
 * return to an earlier version is affected.
 */
const EARLIER_VERSIONS_WAIT_MS = 3_600_000;
/**
 * The lease of a claim: longer than an attempt and its time in the queue. Afterwards, the delivery of a gateway that was killed is
 * attempted again.
 */
export const LEASE_MS = 60_000;

/** Identifies a delivery. */
type DeliveryId = Pick<DeliverWebhook, 'webhookId' | 'eventId'>;

/** Identifies one attempt of a delivery. */
export interface Attempt extends DeliveryId {
  readonly attempt: number;
}

/** Writes deliveries to webhooks, due at once. @param tx the transaction that writes the reported data */
export async function writeDeliveries(tx: Queries, payloads: readonly DeliverWebhook[], now: Date): Promise<void> {
  const rows = buildRows(payloads, now);
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
] as const;

function buildRows(payloads: readonly DeliverWebhook[], now: Date) {
  const traceparent = getCurrentTrace() ?? null;
  const times = { nextAttemptAt: now, createdAt: now, seenAt: computeSeenAt(now) };
  return payloads.map((payload) => {
    const { webhookId, eventId, organizationId } = payload;
    return { webhookId, eventId, organizationId, payload, traceparent, ...times };
  });
}

const deliveryColumns = describeColumns(webhookDeliveries, WRITTEN_COLUMNS);

/** Builds a statement that writes deliveries if a condition is met, as a part of the statement that writes the reported data. */
export function buildDeliveryInsert(payloads: readonly DeliverWebhook[], now: Date, condition: SQL): SQL {
  const { names, buildSource } = deliveryColumns;
  return sql`insert into ${webhookDeliveries} (${names})
    select ${names} from ${buildSource(buildRows(payloads, now), 'given')} where ${condition}`;
}

/** Deletes a delivery that the receiver accepted or that failed permanently. */
export async function endDelivery(db: Queries, id: DeliveryId): Promise<void> {
  await db.delete(webhookDeliveries).where(isDelivery(id));
}

/**
 * Extends the claim of an attempt that starts.
 *
 * @returns false when the attempt is out of date: the delivery has ended, or its claim was released or has expired and another
 *   attempt has the delivery
 */
export async function renewClaim(db: Queries, attempt: Attempt, now: Date): Promise<boolean> {
  const until = getLeaseEnd(now);
  const rows = await db
    .update(webhookDeliveries)
    .set({ claimedUntil: until, nextAttemptAt: until })
    .where(isClaimedBy(attempt))
    .returning({ eventId: webhookDeliveries.eventId });
  return rows.length > 0;
}

/** Releases the claim of an attempt that did not start. The delivery is due at once, before newer events. */
export async function releaseClaim(db: Queries, attempt: Attempt): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ claimedUntil: null, nextAttemptAt: sql`${webhookDeliveries.createdAt}` })
    .where(isClaimedBy(attempt));
}

/** Releases the claims of attempts that were not enqueued. They do not count. */
export async function releaseUnenqueuedClaims(db: Queries, claimed: readonly Attempt[]): Promise<void> {
  const { webhookId, eventId, attempts, createdAt } = webhookDeliveries;
  const ids = sql`select * from unnest(
    ${sql.param(claimed.map((each) => each.webhookId))}::uuid[],
    ${sql.param(claimed.map((each) => each.eventId))}::uuid[],
    ${sql.param(claimed.map((each) => each.attempt))}::int[])`;
  await db
    .update(webhookDeliveries)
    .set({ claimedUntil: null, nextAttemptAt: sql`${createdAt}`, attempts: sql`${attempts} - 1` })
    .where(sql`(${webhookId}, ${eventId}, ${attempts}) in (${ids})`);
}

/**
 * Ends a failed attempt: schedules the next one, or ends the delivery after its last attempt.
 *
 * @returns false after the last attempt
 */
export async function retryDelivery(db: Queries, attempt: Attempt, now: Date): Promise<boolean> {
  if (attempt.attempt >= EVENT_RETRY.attempts) {
    await db.delete(webhookDeliveries).where(isClaimedBy(attempt));
    return false;
  }
  const nextAttemptAt = computeNextAttempt(attempt.attempt, now, Math.random());
  await db.update(webhookDeliveries).set({ claimedUntil: null, nextAttemptAt }).where(isClaimedBy(attempt));
  return true;
}

/** Makes a delivery due whose job an earlier version has enqueued. That version retried in the queue. */
export async function makeDeliveryDue(db: Queries, id: DeliveryId, now: Date): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ nextAttemptAt: now, seenAt: computeSeenAt(now) })
    .where(and(isDelivery(id), eq(webhookDeliveries.attempts, 0), isNull(webhookDeliveries.claimedUntil)));
}

/** Makes all deliveries of a webhook due, in the order of their age. */
export async function makeDeliveriesDue(tx: Queries, webhookId: string): Promise<void> {
  const { attempts, claimedUntil, createdAt } = webhookDeliveries;
  await tx
    .update(webhookDeliveries)
    .set({ nextAttemptAt: sql`${createdAt}` })
    .where(and(eq(webhookDeliveries.webhookId, webhookId), gt(attempts, 0), isNull(claimedUntil)));
}

/** Deletes all deliveries of a webhook. */
export async function endAllDeliveries(tx: Queries, webhookId: string): Promise<void> {
  await tx.delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhookId));
}

export function getLeaseEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}

function computeSeenAt(now: Date): Date {
  return new Date(now.getTime() + EARLIER_VERSIONS_WAIT_MS);
}

function isDelivery({ webhookId, eventId }: DeliveryId): SQL | undefined {
  return and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.eventId, eventId));
}

function isClaimedBy(attempt: Attempt): SQL | undefined {
  const { attempts, claimedUntil } = webhookDeliveries;
  return and(isDelivery(attempt), eq(attempts, attempt.attempt), isNotNull(claimedUntil));
}

/** A run that has ended, and its datasource with the new status. */
interface EndedRun {
  readonly datasource: DatasourceRow;
  readonly run: Pick<RunRow, 'id' | 'dryRun'>;
}

/**
 * Writes the events of ended runs for the webhooks of their organizations. Dry runs send no events, because they change nothing.
 */
export async function writeRunDeliveries(tx: Queries, ended: readonly EndedRun[], now: Date): Promise<void> {
  const realRuns = ended.filter(({ run }) => !run.dryRun);
  const organizations = new Set(realRuns.map(({ datasource }) => datasource.organizationId));
  if (organizations.size === 0) return;
  const listening = await tx
    .select({ id: webhooks.id, organizationId: webhooks.organizationId, events: webhooks.events })
    .from(webhooks)
    .where(and(inArray(webhooks.organizationId, [...organizations]), eq(webhooks.enabled, true)));
  for (const organizationId of organizations) {
    const own = listening.filter((webhook) => webhook.organizationId === organizationId);
    const runs = realRuns.filter(({ datasource }) => datasource.organizationId === organizationId);
    const payloads = runs.flatMap((run) => listDeliveries(run, own, now));
    await writeDeliveries(tx, payloads, now);
  }
}

/** A webhook, and the types of the events that it receives. */
export interface Listening {
  readonly id: string;
  readonly events: readonly WebhookEventType[];
}

/** Lists the deliveries of an ended run. @param listening the webhooks of its organization */
export function listDeliveries(
  { datasource, run }: EndedRun,
  listening: readonly Listening[],
  now: Date,
): readonly DeliverWebhook[] {
  const { organizationId, status } = datasource;
  if (!isSettled(status)) return [];
  const type: WebhookEventType = `datasource.${status}`;
  const { id: datasourceId, datastoreId, name, customId, errorCode: code, errorMessage: message } = datasource;
  const data = { datasourceId, datastoreId, runId: run.id, name, customId, status, code, message };
  const event = { type, timestamp: now.toISOString(), data };
  const eventId = newId();
  return listening
    .filter(({ events }) => events.includes(type))
    .map(({ id: webhookId }) => ({ organizationId, webhookId, eventId, event }));
}
