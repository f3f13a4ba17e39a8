import { webhookQueue } from '@quarry/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDeliveryConsumer } from '../consumers.js';
import { openWebhookHttpClient } from '../context.js';
import { webhookDeliveries } from '../database/tables/webhook-deliveries.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { startWebhookReceiver, type Receiver } from '../testing/webhook-receiver.js';
import { TEST_SETTINGS, type Tenant } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { enqueueDeliveries, createWebhook, writeWebhookEvents } from '../testing/webhooks.js';
import { deliverWebhook } from './deliver-webhook.js';
import { DISABLE_AFTER_MS } from './receiver-state.js';
import { enqueueDueDeliveries, startWebhookDeliverer } from './deliverer.js';

const HOUR_MS = 3_600_000;
let now = new Date();
const settings = { ...TEST_SETTINGS, allowLoopback: { crawler: false, catalog: false, webhooks: true } };
const used = setUpTenant({ settings, webhookFetch: openWebhookHttpClient(settings), clock: () => now });
const advanceClock = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};

let receiver: Receiver;
let otherReceiver: Receiver;
let webhookId: string;
let consumer: ReturnType<typeof startDeliveryConsumer>;
beforeAll(async () => {
  [receiver, otherReceiver] = [await startWebhookReceiver(), await startWebhookReceiver()];
});
afterAll(() => {
  receiver.close();
  otherReceiver.close();
});
beforeEach(async () => {
  for (const each of [receiver, otherReceiver]) {
    each.received.length = 0;
    each.answer = { status: 200 };
  }
  await used.test.gateway.db.delete(webhookDeliveries);
  webhookId = await createWebhook(used.tenant, receiver.url);
  consumer = startDeliveryConsumer(used.test.gateway);
});
afterEach(async () => consumer.close(0));

const writeDeliveries = async (count = 1, tenant: Tenant = used.tenant, id = webhookId) =>
  writeWebhookEvents(used.test, tenant, id, count);
const getWebhook = async (): Promise<unknown> => (await used.tenant.api.get(`/api/webhooks/${webhookId}`)).body;
const patchWebhook = async (body: object) => used.tenant.api.patch(`/api/webhooks/${webhookId}`).send(body);

/** Enqueues due deliveries and runs their jobs, until no delivery is due. */
async function makeDueAttempts(): Promise<void> {
  while ((await enqueueDeliveries(used.test)).length > 0) await used.test.queues.runAllJobs();
}

/**
 * Changes the URL of the webhook while an attempt to deliver an event to its former URL is in progress.
 *
 * @param beforeResponse runs after the change, before the former URL responds
 */
async function changeUrlDuringAttempt(beforeResponse?: () => Promise<void>): Promise<void> {
  const release = receiver.delayResponses();
  await writeDeliveries(1);
  await enqueueDeliveries(used.test);
  const attempt = used.test.queues.runAllJobs();
  await expectEventually(() => receiver.received.length).toBe(1);
  await patchWebhook({ url: otherReceiver.url });
  await beforeResponse?.();
  release();
  await attempt;
}

describe('a receiver that accepts requests and does not respond', () => {
  it('a receiver that does not respond gets at most two events at a time, and delays no event of another organization', async () => {
    const { queues } = used.test;
    const release = receiver.delayResponses();
    await writeDeliveries(20);
    await enqueueDeliveries(used.test);
    const pendingDrains = [queues.runAllJobs(), queues.runAllJobs()];
    await expectEventually(() => receiver.received.length).toBe(2);

    const other = await used.test.createTenant();
    const [eventId] = await writeDeliveries(1, other, await createWebhook(other, otherReceiver.url));
    expect(await enqueueDeliveries(used.test)).toMatchObject([{ eventId }]);
    await queues.runAllJobs();
    expect(otherReceiver.received).toMatchObject([{ headers: { 'webhook-id': eventId } }]);
    expect(receiver.received).toHaveLength(2);

    release();
    await Promise.all(pendingDrains);
    await makeDueAttempts();
    expect(receiver.received).toHaveLength(20);
  });

  it('a receiver that does not respond delays no event of another webhook of the same organization', async () => {
    const release = receiver.delayResponses();
    await writeDeliveries(20);
    await enqueueDeliveries(used.test);
    const pendingDrains = [used.test.queues.runAllJobs(), used.test.queues.runAllJobs()];
    await expectEventually(() => receiver.received.length).toBe(2);
    const [eventId] = await writeDeliveries(1, used.tenant, await createWebhook(used.tenant, otherReceiver.url));
    expect(await enqueueDeliveries(used.test)).toMatchObject([{ eventId }]);
    await used.test.queues.runAllJobs();
    expect(otherReceiver.received).toHaveLength(1);
    release();
    await Promise.all(pendingDrains);
  });
});

describe('a receiver that fails', () => {
  beforeEach(() => {
    receiver.answer = { status: 503 };
  });

  it('a failing receiver gets no event during its pause, then one event, and after a success all waiting events', async () => {
    const eventIds = await writeDeliveries(6);
    await makeDueAttempts();
    expect(receiver.received).toHaveLength(1);
    expect(await getWebhook()).toMatchObject({ failingSince: now.toISOString(), waiting: 6, enabled: true });
    await writeDeliveries(1);
    expect(await enqueueDeliveries(used.test)).toEqual([]);
    advanceClock(HOUR_MS);
    expect(await enqueueDeliveries(used.test)).toHaveLength(1);
    expect(await enqueueDeliveries(used.test)).toEqual([]);
    receiver.answer = { status: 204 };
    await used.test.queues.runAllJobs();
    expect(await getWebhook()).toMatchObject({ failingSince: null, pausedUntil: null, waiting: 6 });
    await makeDueAttempts();
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(eventIds.length + 1);
    expect(await getWebhook()).toMatchObject({ waiting: 0 });
  });

  it('a paused receiver gets no event whose job was enqueued before the pause', async () => {
    const [, second] = await writeDeliveries(2);
    await enqueueDeliveries(used.test);
    await used.test.queues.runAllJobs();
    expect(receiver.received).toHaveLength(1);
    advanceClock(HOUR_MS);
    receiver.answer = { status: 204 };
    expect(await enqueueDeliveries(used.test)).toMatchObject([{ eventId: second }]);
  });

  it('waiting events are sent immediately when the webhook is enabled again or gets another URL', async () => {
    await writeDeliveries(1);
    await makeDueAttempts();
    await patchWebhook({ enabled: true });
    expect(await getWebhook()).toMatchObject({ failingSince: null, pausedUntil: null });
    await makeDueAttempts();
    expect(receiver.received).toHaveLength(2);
    await patchWebhook({ url: otherReceiver.url });
    await makeDueAttempts();
    expect(otherReceiver.received).toHaveLength(1);
  });

  it('if the URL of a webhook is changed during an attempt, the failure of the attempt does not pause the webhook', async () => {
    await changeUrlDuringAttempt();
    expect(await getWebhook()).toMatchObject({ failingSince: null, lastDelivery: { delivered: false, status: 503 } });
  });

  it('if the URL of a webhook is changed during an attempt, a response with 410 from the former URL does not disable the webhook', async () => {
    receiver.answer = { status: 410 };
    await changeUrlDuringAttempt();
    expect(await getWebhook()).toMatchObject({ enabled: true, disabledReason: null, waiting: 1 });
  });

  it('if the URL of a webhook is changed during an attempt, the success of the attempt does not end a pause of the new URL', async () => {
    receiver.answer = { status: 200 };
    otherReceiver.answer = { status: 503 };
    await changeUrlDuringAttempt(async () => {
      await writeDeliveries(1);
      await makeDueAttempts();
    });
    expect(otherReceiver.received).toHaveLength(1);
    expect(await getWebhook()).toMatchObject({
      ...{ failingSince: now.toISOString(), pausedUntil: expect.any(String) as string, waiting: 1 },
      lastDelivery: { delivered: true, status: 200 },
    });
  });

  it('if the URL of a webhook is changed during an attempt, an event that the former URL is not allowed to receive is sent to the new URL', async () => {
    const productionFetch = openWebhookHttpClient(TEST_SETTINGS);
    const webhookFetch: typeof productionFetch = {
      ...productionFetch,
      fetch: async (url, options) => {
        await patchWebhook({ url: otherReceiver.url });
        return productionFetch.fetch(url, options);
      },
    };
    await writeDeliveries(1);
    for (const job of await enqueueDeliveries(used.test))
      await deliverWebhook({ ...used.test.gateway, webhookFetch }, job, new AbortController().signal);
    await productionFetch.close();
    expect(await getWebhook()).toMatchObject({ waiting: 1, lastDelivery: { delivered: false, status: null } });
    advanceClock(HOUR_MS);
    await makeDueAttempts();
    expect(otherReceiver.received).toHaveLength(1);
  });

  it('a webhook is disabled after five days of failures, and receives its waiting events when it is enabled again', async () => {
    const since = now;
    const eventIds = await writeDeliveries(40);
    while (now.getTime() - since.getTime() < DISABLE_AFTER_MS) {
      await makeDueAttempts();
      expect(await getWebhook()).toMatchObject({ enabled: true, disabledReason: null });
      advanceClock(6 * HOUR_MS);
    }
    await makeDueAttempts();
    expect(await getWebhook()).toMatchObject({
      ...{ enabled: false, failingSince: since.toISOString(), waiting: 40 },
      disabledReason: {
        code: 'receiver_failing',
        message: `All attempts have failed since ${since.toISOString()}.`,
        at: now.toISOString(),
      },
    });
    expect(used.test.logged.filter((line) => line.includes('a webhook is disabled'))).toHaveLength(1);
    const attempts = receiver.received.length;
    advanceClock(6 * HOUR_MS);
    await makeDueAttempts();
    expect(receiver.received).toHaveLength(attempts);

    receiver.answer = { status: 200 };
    receiver.received.length = 0;
    await patchWebhook({ enabled: true });
    expect(await getWebhook()).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
    await makeDueAttempts();
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(eventIds);
  });
});

describe('startWebhookDeliverer()', () => {
  it('the deliverer enqueues waiting deliveries when it starts, and new deliveries when it is woken', async () => {
    const { gateway, queues } = used.test;
    const listEnqueued = (): readonly string[] =>
      queues.listAddedJobs(webhookQueue).map(({ payload }) => payload.eventId);
    const [first = ''] = await writeDeliveries();
    const deliverer = startWebhookDeliverer(gateway);
    await expectEventually(listEnqueued).toContain(first);
    const [second = ''] = await writeDeliveries();
    gateway.deliveriesDue.wake();
    await expectEventually(listEnqueued).toContain(second);
    await deliverer.close();
  });

  it('enqueueDueDeliveries keeps events and counts no attempt while the queue is unavailable', async () => {
    const [eventId] = await writeDeliveries();
    const { gateway } = used.test;
    const rejectJob = async (): Promise<never> => Promise.reject(new Error('the queue is unavailable'));
    const createFailingProducer = () => ({ add: rejectJob, addAll: rejectJob });
    const failing = { ...gateway, queues: { ...gateway.queues, createProducer: createFailingProducer } };
    await expect(enqueueDueDeliveries(failing)).rejects.toThrow('the queue is unavailable');
    expect(await enqueueDeliveries(used.test)).toMatchObject([{ eventId, attempt: 1 }]);
  });
});
