import {
  WEBHOOK_EVENTS,
  type CreateWebhookRequest,
  type UpdateWebhookRequest,
  type WebhookResponse,
} from '@quarry/contracts';
import { and, desc, eq, lt, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { organizations } from '../database/tables/organizations.js';
import { webhooks, type WebhookRow } from '../database/tables/webhooks.js';
import type { PageRequest } from '../paging/pages.js';
import { createNotFoundProblem } from '../checks/require-id.js';
import { problem } from '../problems.js';

/** Maximum number of webhooks per organization. Each causes a request for every run that ends. */
const MAX_WEBHOOKS = 20;

/**
 * Stores a new webhook.
 *
 * @param tx a transaction
 * @throws Problem 409 when the organization has reached its limit
 */
export async function insertWebhook(
  tx: Queries,
  made: Pick<WebhookRow, 'id' | 'organizationId' | 'encryptedSecret'>,
  { url, events }: CreateWebhookRequest,
): Promise<WebhookRow> {
  const { organizationId } = made;
  // Serializes creations, so that the limit holds.
  await tx.select().from(organizations).where(eq(organizations.id, organizationId)).for('no key update');
  const found = await tx.$count(webhooks, eq(webhooks.organizationId, organizationId));
  if (found >= MAX_WEBHOOKS) {
    throw problem('too_many_webhooks', `An organization can have at most ${MAX_WEBHOOKS} webhooks, found ${found}.`);
  }
  const [row] = await tx
    .insert(webhooks)
    .values({ ...made, url, events: [...(events ?? WEBHOOK_EVENTS)] })
    .returning();
  if (row === undefined) throw new Error('expected a row of the new webhook, found none');
  return row;
}

/** Returns a webhook of an organization. @throws Problem 404 if it does not exist */
export async function findWebhook(db: Queries, organizationId: string, id: string): Promise<WebhookRow> {
  const [row] = await db.select().from(webhooks).where(buildIdCondition(organizationId, id));
  if (row === undefined) throw createNotFoundProblem('webhook', id);
  return row;
}

/** Lists webhooks, newest first. @returns one row more than the page size if there are more webhooks */
export async function listWebhooks(
  db: Queries,
  organizationId: string,
  page: PageRequest,
): Promise<readonly WebhookRow[]> {
  const older = page.before === undefined ? undefined : lt(webhooks.id, page.before);
  return db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.organizationId, organizationId), older))
    .orderBy(desc(webhooks.id))
    .limit(page.limit + 1);
}

/** Updates the fields of a webhook that the request contains. @throws Problem 404 if it does not exist */
export async function updateWebhook(
  db: Queries,
  organizationId: string,
  id: string,
  { url, events, enabled }: UpdateWebhookRequest,
): Promise<WebhookRow> {
  const set = {
    ...(url === undefined || url === null ? {} : { url }),
    ...(events === undefined || events === null ? {} : { events: [...events] }),
    ...(enabled === undefined || enabled === null ? {} : { enabled }),
  };
  if (Object.keys(set).length === 0) return findWebhook(db, organizationId, id);
  const [row] = await db.update(webhooks).set(set).where(buildIdCondition(organizationId, id)).returning();
  if (row === undefined) throw createNotFoundProblem('webhook', id);
  return row;
}

/** Deletes a webhook and its pending deliveries. @throws Problem 404 if it does not exist */
export async function removeWebhook(db: Queries, organizationId: string, id: string): Promise<void> {
  const removed = await db.delete(webhooks).where(buildIdCondition(organizationId, id)).returning({ id: webhooks.id });
  if (removed.length === 0) throw createNotFoundProblem('webhook', id);
}

/** Converts the row of a webhook to its API response, without its secret. */
export function viewWebhook(row: WebhookRow): WebhookResponse {
  const { id, url, events, enabled, lastDelivery, createdAt } = row;
  return { id, url, events, enabled, lastDelivery, createdAt: createdAt.toISOString() };
}

function buildIdCondition(organizationId: string, id: string): SQL | undefined {
  return and(eq(webhooks.organizationId, organizationId), eq(webhooks.id, id));
}
