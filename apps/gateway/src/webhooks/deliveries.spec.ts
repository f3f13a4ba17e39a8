import { datasourceStatusQueue, webhookQueue, type DeliverWebhook } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { startConsumers, startDeliveries } from '../consumers.js';
import { openWebhookFetch } from '../context.js';
import { datasources } from '../database/tables/datasources.js';
import { outbox } from '../database/tables/outbox.js';
import { webhookDeliveries } from '../database/tables/webhook-deliveries.js';
import { publishOutbox } from '../testing/jobs.js';
import { uploadText } from '../testing/make.js';
import { startReceiver } from '../testing/receiver.js';
import { TEST_SETTINGS } from '../testing/start-test-gateway.js';
import { useTenant } from '../testing/use-tenant.js';
import { repeatDeliveries } from './deliveries.js';

let now = new Date();
const settings = { ...TEST_SETTINGS, allowLoopback: { crawler: false, catalog: false, webhooks: true } };
const used = useTenant({ settings, webhookFetch: openWebhookFetch(settings), clock: () => now });
const advanceClock = (minutes: number): void => {
  now = new Date(now.getTime() + minutes * 60_000);
};

/** Registers a webhook, and ends a run whose event the webhook receives. */
beforeEach(async () => {
  const { test, tenant, datastore } = used;
  await test.gateway.db.delete(webhookDeliveries);
  await tenant.api.post('/api/webhooks').send({ url: 'https://example.org/hook' });
  const datasourceId = await uploadText(tenant.api, datastore);
  await publishOutbox(test);
  const [row] = await test.gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
  const event = { datasourceId, runId: row?.runId ?? '', sequence: 9_999, at: now.toISOString() };
  await test.queues.producer(datasourceStatusQueue).add('status-changed', { ...event, status: 'synched' });
  const consumer = startConsumers(test.gateway);
  await test.queues.drain();
  await consumer.close(0);
});

async function listPublishedDeliveries(): Promise<readonly DeliverWebhook[]> {
  await publishOutbox(used.test);
  const { organizationId } = used.tenant;
  const jobs = used.test.queues.added(webhookQueue).map(({ payload }) => payload);
  return jobs.filter((payload) => payload.organizationId === organizationId);
}

const countDeliveries = async (): Promise<number> => used.test.gateway.db.$count(webhookDeliveries);

async function deliverAll(): Promise<void> {
  const deliveries = startDeliveries(used.test.gateway);
  await used.test.queues.drain();
  await deliveries.close(0);
}

describe('a delivery to a webhook', () => {
  it('a delivery is enqueued again, with the same event id, when the queue has lost its job', async () => {
    const [lost] = await used.test.gateway.db.delete(outbox).returning();
    advanceClock(2);
    expect(await repeatDeliveries(used.test.gateway)).toBe(1);
    expect(await listPublishedDeliveries()).toEqual([lost?.payload]);
  });

  it('a delivery is not enqueued again while its job waits in the outbox or in the queue', async () => {
    advanceClock(2);
    expect(await repeatDeliveries(used.test.gateway)).toBe(0);
    expect(await listPublishedDeliveries()).toHaveLength(1);
    advanceClock(2);
    expect(await repeatDeliveries(used.test.gateway)).toBe(0);
    expect(await countDeliveries()).toBe(1);
  });

  it.each([
    ['is accepted', 200],
    ['is refused for good', 410],
  ])('a delivery ends when it %s', async (_how, status) => {
    const receiver = await startReceiver();
    receiver.answer = { status };
    const [job] = await listPublishedDeliveries();
    await used.tenant.api.patch(`/api/webhooks/${job?.webhookId ?? ''}`).send({ url: receiver.url });
    await deliverAll();
    receiver.close();
    expect(receiver.received).toHaveLength(1);
    expect(await countDeliveries()).toBe(0);
  });

  it('a delivery ends when its webhook is deleted', async () => {
    const [job] = await listPublishedDeliveries();
    await used.tenant.api.delete(`/api/webhooks/${job?.webhookId ?? ''}`);
    await deliverAll();
    expect(await countDeliveries()).toBe(0);
  });
});
