import { isSettled, webhookQueue, type WebhookEventType } from '@quarry/contracts';
import { and, arrayContains, eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import type { RunRow } from '../database/tables/runs.js';
import { webhooks } from '../database/tables/webhooks.js';
import { outboxJob, writeOutbox } from '../outbox/outbox.js';

/**
 * Writes down, with the end of a run, who is to be told of it. A dry run changes nothing, so nobody is.
 *
 * @param row as the run has left it
 */
export async function announceRun(
  tx: Queries,
  row: DatasourceRow,
  run: Pick<RunRow, 'id' | 'dryRun'>,
  now: Date,
): Promise<void> {
  const { organizationId, status } = row;
  if (run.dryRun || !isSettled(status)) return;
  const type: WebhookEventType = `datasource.${status}`;
  const wanted = and(
    eq(webhooks.organizationId, organizationId),
    eq(webhooks.enabled, true),
    arrayContains(webhooks.events, [type]),
  );
  const told = await tx.select({ id: webhooks.id }).from(webhooks).where(wanted);
  if (told.length === 0) return;
  const { id: datasourceId, datastoreId, name, customId, errorCode: code, errorMessage: message } = row;
  const data = { datasourceId, datastoreId, runId: run.id, name, customId, status, code, message };
  const event = { type, timestamp: now.toISOString(), data };
  const eventId = newId();
  await writeOutbox(
    tx,
    organizationId,
    told.map(({ id: webhookId }) =>
      outboxJob(webhookQueue, 'deliver-webhook', { organizationId, webhookId, eventId, event }),
    ),
  );
}
