import {
  MAX_COUNTED_EVENTS,
  WEBHOOK_EVENTS,
  type CreateWebhookRequest,
  type UpdateWebhookRequest,
  type WebhookResponse,
} from '@quarry/contracts';
import { and, desc, eq, getTableColumns, lt, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { organizations } from '../database/tables/organizations.js';
import { webhookDeliveries } from '../database/tables/webhook-deliveries.js';
import { webhooks, type WebhookRow } from '../database/tables/webhooks.js';
import type { PageRequest } from '../paging/pages.js';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import { problem } from '../problems.js';
import { HEALTHY } from './receiver-state.js';
import { deleteAllDeliveries, makeDeliveriesDue } from './deliveries.js';
import { getPreviousSecretExpiry } from './rotate-webhook-secret.js';

/**
 * Maximum number of webhooks per organization. The number is limited, because each webhook causes a request for every
 * run that ends.
 */
const MAX_WEBHOOKS = 20;

/** A webhook, and the number of its waiting events, up to `MAX_COUNTED_EVENTS`. */
type CountedWebhook = WebhookRow & { readonly waiting: number };

const COUNTED_COLUMNS = {
  ...getTableColumns(webhooks),
  waiting: sql<number>`(select count(*)::int from (
    select 1 from ${webhookDeliveries} d where d.webhook_id = webhooks.id and d.next_attempt_at is not null
    limit ${MAX_COUNTED_EVENTS}) waiting)`,
};

/**
 * Stores a new webhook.
 *
 * @param tx a transaction, during which the organization stays locked
 * @throws Problem 409 when the organization has reached its limit of webhooks
 */
export async function insertWebhook(
  tx: Queries,
  newWebhook: Pick<WebhookRow, 'id' | 'organizationId' | 'encryptedSecret'>,
  { url, events }: CreateWebhookRequest,
): Promise<CountedWebhook> {
  const { organizationId } = newWebhook;
  // Locks the organization, so that concurrent requests cannot exceed the limit.
  await tx.select().from(organizations).where(eq(organizations.id, organizationId)).for('no key update');
  const found = await tx.$count(webhooks, eq(webhooks.organizationId, organizationId));
  if (found >= MAX_WEBHOOKS) {
    throw problem('too_many_webhooks', `An organization can have at most ${MAX_WEBHOOKS} webhooks, found ${found}.`);
  }
  const [row] = await tx
    .insert(webhooks)
    .values({ ...newWebhook, url, events: [...(events ?? WEBHOOK_EVENTS)] })
    .returning();
  if (row === undefined) throw new Error('expected a row of the new webhook, found none');
  return { ...row, waiting: 0 };
}

/** Returns a webhook of an organization. @throws Problem 404 if it does not exist */
export async function findWebhook(db: Queries, organizationId: string, id: string): Promise<CountedWebhook> {
  const [row] = await db.select(COUNTED_COLUMNS).from(webhooks).where(buildIdCondition(organizationId, id));
  if (row === undefined) throw createNotFoundProblem('webhook', id);
  return row;
}

/** Lists webhooks, newest first. @returns one row more than the page size if there are more webhooks */
export async function listWebhooks(
  db: Queries,
  organizationId: string,
  page: PageRequest,
): Promise<readonly CountedWebhook[]> {
  const older = page.before === undefined ? undefined : lt(webhooks.id, page.before);
  return db
    .select(COUNTED_COLUMNS)
    .from(webhooks)
    .where(and(eq(webhooks.organizationId, organizationId), older))
    .orderBy(desc(webhooks.id))
    .limit(page.limit + 1);
}

/**
 * Updates those fields of a webhook that the request contains. Enabling a webhook or changing its URL clears the
 * failures of the webhook, and makes its waiting events due.
 *
 * @throws Problem 404 if it does not exist
 */
export async function updateWebhook(
  db: Queries,
  organizationId: string,
  id: string,
  { url, events, enabled }: UpdateWebhookRequest,
): Promise<CountedWebhook> {
  const isFreshStart = (url ?? undefined) !== undefined || enabled === true;
  const set = {
    ...(url === undefined || url === null ? {} : { url }),
    ...(events === undefined || events === null ? {} : { events: [...events] }),
    ...(enabled === undefined || enabled === null ? {} : { enabled }),
    ...(enabled === true ? { disabledReason: null } : {}),
    ...(isFreshStart ? HEALTHY : {}),
  };
  return db.transaction(async (tx) => {
    if (Object.keys(set).length > 0) await tx.update(webhooks).set(set).where(buildIdCondition(organizationId, id));
    const webhook = await findWebhook(tx, organizationId, id);
    if (isFreshStart) await makeDeliveriesDue(tx, id);
    return webhook;
  });
}

/** Deletes a webhook and its deliveries. @throws Problem 404 if it does not exist */
export async function removeWebhook(db: Queries, organizationId: string, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const removed = await tx
      .delete(webhooks)
      .where(buildIdCondition(organizationId, id))
      .returning({ id: webhooks.id });
    if (removed.length === 0) throw createNotFoundProblem('webhook', id);
    await deleteAllDeliveries(tx, id);
  });
}

/** Builds the API response of a webhook, without its secrets. */
export function buildWebhookResponse(webhook: CountedWebhook, now: Date): WebhookResponse {
  const { id, url, events, enabled, disabledReason, failingSince, pausedUntil, waiting, lastDelivery } = webhook;
  return {
    ...{ id, url, events, enabled, disabledReason },
    failingSince: failingSince?.toISOString() ?? null,
    pausedUntil: pausedUntil?.toISOString() ?? null,
    previousSecretExpiresAt: getPreviousSecretExpiry(webhook, now),
    ...{ waiting, lastDelivery, createdAt: webhook.createdAt.toISOString() },
  };
}

function buildIdCondition(organizationId: string, id: string): SQL | undefined {
  return and(eq(webhooks.organizationId, organizationId), eq(webhooks.id, id));
}
