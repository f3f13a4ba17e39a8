import { webhookQueue } from '@quarry/contracts';
import { eq, isNotNull } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDeliveryConsumer } from '../consumers.js';
import { openWebhookHttpClient } from '../context.js';
import { outbox } from '../database/tables/outbox.js';
import { webhookDeliveries } from '../database/tables/webhook-deliveries.js';
import { buildOutboxJob, writeOutboxJobs } from '../outbox/outbox.js';
import { publishOutboxJobs } from '../testing/jobs.js';
import { startWebhookReceiver, type Receiver } from '../testing/webhook-receiver.js';
import { TEST_SETTINGS } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { enqueueDeliveries, createWebhook, writeWebhookEvents } from '../testing/webhooks.js';
import { LEASE_MS, WAITING_RETENTION_MS } from './deliveries.js';
import { removeOldDeliveries } from './remove-old-deliveries.js';

let now = new Date();
const settings = { ...TEST_SETTINGS, allowLoopback: { crawler: false, catalog: false, webhooks: true } };
const used = setUpTenant({ settings, webhookFetch: openWebhookHttpClient(settings), clock: () => now });
const advanceClock = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};

let receiver: Receiver;
let webhookId: string;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => {
  receiver.close();
});
beforeEach(async () => {
  receiver.answer = { status: 200 };
  receiver.received.length = 0;
  await used.test.gateway.db.delete(webhookDeliveries);
  webhookId = await createWebhook(used.tenant, receiver.url);
});

const writeDeliveries = async (count = 1) => writeWebhookEvents(used.test, used.tenant, webhookId, count);
const countDeliveries = async (): Promise<number> =>
  used.test.gateway.db.$count(webhookDeliveries, isNotNull(webhookDeliveries.nextAttemptAt));
const listReceived = (): readonly unknown[] => receiver.received.map(({ headers }) => headers['webhook-id']);

/** Runs all enqueued jobs. */
async function deliverEnqueuedJobs(): Promise<void> {
  const deliveries = startDeliveryConsumer(used.test.gateway);
  await used.test.queues.runAllJobs();
  await deliveries.close(0);
}

describe('a delivery whose job is lost or late', () => {
  it('a delivery whose job was lost is enqueued again with the same event id', async () => {
    const [eventId] = await writeDeliveries();
    expect(await enqueueDeliveries(used.test)).toMatchObject([{ eventId, attempt: 1 }]);
    advanceClock(LEASE_MS);
    expect(await enqueueDeliveries(used.test)).toMatchObject([{ eventId, attempt: 2 }]);
  });

  it('a delivery is sent once, even if its job was late and therefore enqueued a second time', async () => {
    const [eventId] = await writeDeliveries();
    await enqueueDeliveries(used.test);
    advanceClock(LEASE_MS);
    await enqueueDeliveries(used.test);
    await deliverEnqueuedJobs();
    expect(listReceived()).toEqual([eventId]);
    expect(await countDeliveries()).toBe(0);
  });

  it.each([
    ['accepts the event', 200],
    ['refuses all events with 410', 410],
  ])('a delivery ends when the receiver %s', async (_how, status) => {
    receiver.answer = { status };
    await writeDeliveries();
    await enqueueDeliveries(used.test);
    await deliverEnqueuedJobs();
    expect(receiver.received).toHaveLength(1);
    expect(await countDeliveries()).toBe(0);
  });

  it('a delivery ends when its webhook is deleted', async () => {
    await writeDeliveries();
    await enqueueDeliveries(used.test);
    await used.tenant.api.delete(`/api/webhooks/${webhookId}`);
    expect(await countDeliveries()).toBe(0);
    await deliverEnqueuedJobs();
    expect(receiver.received).toEqual([]);
  });

  it('a delivery ends after 32 attempts', async () => {
    receiver.answer = { status: 500 };
    const [eventId] = await writeDeliveries();
    for (let attempt = 1; attempt <= 33; attempt += 1) {
      expect(await enqueueDeliveries(used.test)).toHaveLength(attempt === 33 ? 0 : 1);
      await deliverEnqueuedJobs();
      advanceClock(7_200_000);
    }
    expect(listReceived()).toEqual(Array.from({ length: 32 }, () => eventId));
    expect(await countDeliveries()).toBe(0);
  });

  it('if an attempt fails because of an error in the gateway, the delivery is retried, and the webhook does not count as failing', async () => {
    await writeDeliveries();
    await enqueueDeliveries(used.test);
    const { gateway, queues } = used.test;
    const failToDecrypt = (): never => {
      throw new Error('the key is missing');
    };
    const deliveries = startDeliveryConsumer({
      ...gateway,
      secretCipher: { ...gateway.secretCipher, decrypt: failToDecrypt },
    });
    await queues.runAllJobs();
    await deliveries.close(0);
    expect((await used.tenant.api.get(`/api/webhooks/${webhookId}`)).body).toMatchObject({ failingSince: null });
    expect(await enqueueDeliveries(used.test)).toEqual([]);
    advanceClock(10_000);
    expect(await enqueueDeliveries(used.test)).toMatchObject([{ attempt: 2 }]);
  });
});

describe('a delivery that an earlier version of Quarry wrote', () => {
  /** Writes the delivery of an event, and its job, as an earlier version of Quarry did. */
  async function writeEarlierDelivery(): Promise<string> {
    const [eventId = ''] = await writeDeliveries();
    const { db } = used.test.gateway;
    const nextAttemptAt = new Date(now.getTime() + 7_200_000);
    const rows = await db.update(webhookDeliveries).set({ nextAttemptAt, seenAt: now }).returning();
    const jobs = rows.map(({ payload }) =>
      buildOutboxJob(webhookQueue, { name: 'deliver-webhook', payload, class: 'sync' }),
    );
    await writeOutboxJobs(db, used.tenant.organizationId, jobs);
    await publishOutboxJobs(used.test);
    return eventId;
  }

  it('a delivery job that an earlier version of Quarry enqueued makes its delivery due, and does not send the delivery', async () => {
    const eventId = await writeEarlierDelivery();
    expect(await enqueueDeliveries(used.test)).toEqual([]);
    await deliverEnqueuedJobs();
    expect(receiver.received).toEqual([]);
    expect(await enqueueDeliveries(used.test)).toMatchObject([{ eventId, attempt: 1 }]);
    await deliverEnqueuedJobs();
    expect(listReceived()).toEqual([eventId]);
  });

  it('if the queue has lost the job of a delivery that an earlier version of Quarry wrote, the delivery is due after two hours', async () => {
    const eventId = await writeEarlierDelivery();
    advanceClock(7_200_000);
    expect(await enqueueDeliveries(used.test)).toMatchObject([{ eventId, attempt: 1 }]);
  });

  it('a delivery job that an earlier version of Quarry enqueued has no effect if an attempt has claimed the delivery', async () => {
    const eventId = await writeEarlierDelivery();
    advanceClock(7_200_000);
    await enqueueDeliveries(used.test);
    await deliverEnqueuedJobs();
    expect(await enqueueDeliveries(used.test)).toEqual([]);
    expect(listReceived()).toEqual([eventId]);
  });
});

it('writing a delivery adds no job to the outbox', async () => {
  await writeDeliveries();
  expect(await used.test.gateway.db.$count(outbox, eq(outbox.queue, webhookQueue.name))).toBe(0);
});

describe('removeOldDeliveries()', () => {
  it('removeOldDeliveries deletes exactly the events that have waited for 30 days', async () => {
    await writeDeliveries(2);
    advanceClock(WAITING_RETENTION_MS - 1);
    const [young] = await writeDeliveries();
    expect(await removeOldDeliveries(used.test.gateway)).toBe(0);
    advanceClock(1);
    expect(await removeOldDeliveries(used.test.gateway)).toBe(2);
    const rows = await used.test.gateway.db.select().from(webhookDeliveries);
    expect(rows.map(({ eventId }) => eventId)).toEqual([young]);
  });

  it('removeOldDeliveries deletes an event that was written while its webhook was deleted', async () => {
    await writeDeliveries();
    await used.tenant.api.delete(`/api/webhooks/${webhookId}`);
    await writeDeliveries();
    await removeOldDeliveries(used.test.gateway);
    expect(await countDeliveries()).toBe(0);
  });
});
