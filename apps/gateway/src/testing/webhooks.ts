import { webhookQueue, type DeliverWebhook } from '@quarry/contracts';
import { newId } from '../database/id.js';
import { enqueueDueDeliveries } from '../webhooks/deliverer.js';
import { writeDeliveries } from '../webhooks/deliveries.js';
import { getStringField } from './create-resources.js';
import type { Tenant, TestGateway } from './start-test-gateway.js';

/** Creates a webhook through the API. @returns the id of the webhook */
export async function createWebhook({ api }: Tenant, url = 'https://example.org/hook'): Promise<string> {
  return getStringField(await api.post('/api/webhooks').send({ url }), 'id');
}

/** Writes events for a webhook, as the ends of runs do. @returns the ids of the events, oldest first */
export async function writeWebhookEvents(
  { gateway }: TestGateway,
  { organizationId }: Tenant,
  webhookId: string,
  count = 1,
): Promise<readonly string[]> {
  const eventIds = Array.from({ length: count }, newId);
  const payloads = eventIds.map((eventId) => buildDelivery(organizationId, webhookId, eventId));
  await writeDeliveries(gateway.db, payloads, gateway.clock());
  return eventIds;
}

function buildDelivery(organizationId: string, webhookId: string, eventId: string): DeliverWebhook {
  const ids = { datasourceId: newId(), datastoreId: newId(), runId: newId() };
  const data = { ...ids, name: 'notes.txt', customId: null, status: 'synched', code: null, message: null } as const;
  const event = { type: 'datasource.synched', timestamp: new Date(0).toISOString(), data } as const;
  return { organizationId, webhookId, eventId, event };
}

/** Claims and enqueues due deliveries of all tenants once. @returns the jobs that this call has added */
export async function enqueueDeliveries({ gateway, queues }: TestGateway): Promise<readonly DeliverWebhook[]> {
  const before = queues.listAddedJobs(webhookQueue).length;
  await enqueueDueDeliveries(gateway);
  return queues
    .listAddedJobs(webhookQueue)
    .slice(before)
    .map(({ payload }) => payload);
}
