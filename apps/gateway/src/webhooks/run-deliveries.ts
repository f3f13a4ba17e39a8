import { type DeliverWebhook, isSettled, type WebhookEventType } from '@quarry/contracts';
import { and, eq, inArray } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import type { RunRow } from '../database/tables/runs.js';
import { webhooks } from '../database/tables/webhooks.js';
import { writeDeliveries } from './deliveries.js';

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
