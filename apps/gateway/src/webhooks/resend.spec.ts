import { MAX_RESENT_DELIVERIES } from '@quarry/contracts';
import type { Response } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDeliveryConsumer } from '../consumers.js';
import { openWebhookHttpClient } from '../context.js';
import { webhookDeliveries } from '../database/tables/webhook-deliveries.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { getStringField } from '../testing/create-resources.js';
import { startWebhookReceiver, type Receiver } from '../testing/webhook-receiver.js';
import { TEST_SETTINGS } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { enqueueDeliveries, createWebhook, writeWebhookEvents } from '../testing/webhooks.js';
import { MAX_TEST_EVENTS } from './test-event.js';

const HOUR_MS = 3_600_000;
let now = new Date();
const settings = { ...TEST_SETTINGS, allowLoopback: { crawler: false, catalog: false, webhooks: true } };
const used = setUpTenant({ settings, webhookFetch: openWebhookHttpClient(settings), clock: () => now });
const advanceClock = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};

let receiver: Receiver;
let webhookId: string;
let consumer: ReturnType<typeof startDeliveryConsumer>;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  consumer = startDeliveryConsumer(used.test.gateway);
});
afterAll(async () => {
  await consumer.close(0);
  receiver.close();
});
beforeEach(async () => {
  receiver.answer = { status: 200 };
  receiver.received.length = 0;
  await used.test.gateway.db.delete(webhookDeliveries);
  webhookId = await createWebhook(used.tenant, receiver.url);
});

const postRequest = async (path: string, body?: object): Promise<Response> =>
  used.tenant.api.post(`/api/webhooks/${webhookId}${path}`).send(body);
const writeDeliveries = async (count = 1) => writeWebhookEvents(used.test, used.tenant, webhookId, count);
const getWebhook = async (): Promise<unknown> => (await used.tenant.api.get(`/api/webhooks/${webhookId}`)).body;
const getDelivery = async (id: string): Promise<unknown> =>
  (await used.tenant.api.get(`/api/webhooks/${webhookId}/deliveries/${id}`)).body;
const listReceived = (): readonly unknown[] => receiver.received.map(({ headers }) => headers['webhook-id']);

/** Enqueues due deliveries and runs their jobs, until no delivery is due. */
async function makeDueAttempts(): Promise<void> {
  while ((await enqueueDeliveries(used.test)).length > 0) await used.test.queues.runAllJobs();
}

describe('POST /webhooks/{id}/deliveries/{deliveryId}/resend', () => {
  it('POST /webhooks/{id}/deliveries/{deliveryId}/resend sends an event again, with the same id and body and a new timestamp', async () => {
    const [eventId = ''] = await writeDeliveries();
    await makeDueAttempts();
    advanceClock(HOUR_MS);
    const resent = await postRequest(`/deliveries/${eventId}/resend`);
    expectDocumented(resent, 'post', '/webhooks/{id}/deliveries/{deliveryId}/resend');
    expect(resent.body).toMatchObject({ id: eventId, state: 'waiting', nextAttemptAt: now.toISOString() });
    await makeDueAttempts();
    expect(listReceived()).toEqual([eventId, eventId]);
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(await getDelivery(eventId)).toMatchObject({ state: 'delivered', tries: [{ attempt: 1 }, { attempt: 2 }] });
  });

  it('POST /webhooks/{id}/deliveries/{deliveryId}/resend allows up to 32 further attempts of a delivery whose 32 attempts have all failed', async () => {
    receiver.answer = { status: 500 };
    const [eventId = ''] = await writeDeliveries();
    for (const attempts of [32, 64]) {
      await used.tenant.api.patch(`/api/webhooks/${webhookId}`).send({ enabled: true });
      for (let hours = 0; hours < 66; hours += 2) {
        await makeDueAttempts();
        advanceClock(2 * HOUR_MS);
      }
      expect(receiver.received).toHaveLength(attempts);
      expect(await getDelivery(eventId)).toMatchObject({ state: 'failed', failure: 'attempts_exhausted' });
      expect((await postRequest(`/deliveries/${eventId}/resend`)).body).toMatchObject({
        state: 'waiting',
        failure: null,
      });
    }
  });

  it('a resent event waits while the webhook is paused or disabled', async () => {
    const [eventId = ''] = await writeDeliveries();
    await makeDueAttempts();
    await used.tenant.api.patch(`/api/webhooks/${webhookId}`).send({ enabled: false });
    await postRequest(`/deliveries/${eventId}/resend`);
    await makeDueAttempts();
    expect(receiver.received).toHaveLength(1);
    await used.tenant.api.patch(`/api/webhooks/${webhookId}`).send({ enabled: true });
    await makeDueAttempts();
    expect(receiver.received).toHaveLength(2);
  });

  it('POST /webhooks/{id}/deliveries/{deliveryId}/resend does not change a delivery while an attempt is in progress', async () => {
    const [eventId = ''] = await writeDeliveries();
    await enqueueDeliveries(used.test);
    await postRequest(`/deliveries/${eventId}/resend`);
    await makeDueAttempts();
    await used.test.queues.runAllJobs();
    expect(listReceived()).toEqual([eventId]);
  });
});

describe('POST /webhooks/{id}/resend', () => {
  it('POST /webhooks/{id}/resend resends the events that are not older than a given time, and returns their number', async () => {
    await writeDeliveries(2);
    await makeDueAttempts();
    advanceClock(HOUR_MS);
    const since = now.toISOString();
    const later = await writeDeliveries(3);
    await makeDueAttempts();
    receiver.received.length = 0;
    const resent = await postRequest('/resend', { since });
    expectDocumented(resent, 'post', '/webhooks/{id}/resend');
    expect(resent.body).toEqual({ resent: 3, next_cursor: null });
    await makeDueAttempts();
    expect(new Set(listReceived())).toEqual(new Set(later));
  });

  it('POST /webhooks/{id}/resend resends only failed events if the field `state` is `failed`, and never resends test events', async () => {
    await writeDeliveries(2);
    await postRequest('/test');
    await makeDueAttempts();
    receiver.answer = { status: 410 };
    const [failed] = await writeDeliveries(1);
    await makeDueAttempts();
    const since = new Date(now.getTime() - HOUR_MS).toISOString();
    expect((await postRequest('/resend', { since, state: 'failed' })).body).toEqual({ resent: 1, next_cursor: null });
    receiver.answer = { status: 200 };
    receiver.received.length = 0;
    await used.tenant.api.patch(`/api/webhooks/${webhookId}`).send({ enabled: true });
    await makeDueAttempts();
    expect(listReceived()).toEqual([failed]);
    expect((await postRequest('/resend', { since })).body).toEqual({ resent: 3, next_cursor: null });
  });

  it('POST /webhooks/{id}/resend resends a limited number of events, and a second request with the returned cursor resends the remaining events', async () => {
    await writeDeliveries(MAX_RESENT_DELIVERIES + 5);
    await used.test.gateway.db.update(webhookDeliveries).set({ state: 'failed', endedAt: now, nextAttemptAt: null });
    const since = now.toISOString();
    const first = await postRequest('/resend', { since });
    expect(first.body).toMatchObject({ resent: MAX_RESENT_DELIVERIES });
    const rest = await postRequest('/resend', { since, cursor: getStringField(first, 'next_cursor') });
    expect(rest.body).toEqual({ resent: 5, next_cursor: null });
  });

  it('if POST /webhooks/{id}/resend is repeated with the same Idempotency-Key, the events are resent only once', async () => {
    await writeDeliveries(2);
    await makeDueAttempts();
    const body = { since: new Date(0).toISOString() };
    const sendRequest = async () =>
      used.tenant.api
        .post(`/api/webhooks/${webhookId}/resend`)
        .set('Idempotency-Key', `resend-${webhookId}`)
        .send(body);
    expect((await sendRequest()).body).toMatchObject({ resent: 2 });
    await makeDueAttempts();
    expect((await sendRequest()).body).toMatchObject({ resent: 2 });
    await makeDueAttempts();
    expect(receiver.received).toHaveLength(4);
  });

  it.each([
    [{}],
    [{ since: 'yesterday' }],
    [{ since: '2026-W10' }],
    [{ since: '9999-12-31T23:59:59-05:00' }],
    [{ since: '2026-01-01', cursor: 'x' }],
  ])('POST /webhooks/{id}/resend refuses the body %j', async (body) => {
    expect((await postRequest('/resend', body)).status).toBe(400);
  });
});

describe('POST /webhooks/{id}/test', () => {
  it('POST /webhooks/{id}/test sends a signed test event, and the list of deliveries contains the event', async () => {
    const tested = await postRequest('/test');
    expectDocumented(tested, 'post', '/webhooks/{id}/test');
    const id = getStringField(tested, 'id');
    expect(tested.body).toMatchObject({ type: 'webhook.test', state: 'waiting' });
    await makeDueAttempts();
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(headers).toMatchObject({ 'webhook-id': id, 'webhook-signature': expect.stringMatching(/^v1,/) as string });
    expect(JSON.parse(body)).toEqual({ type: 'webhook.test', timestamp: now.toISOString(), data: { webhookId } });
    expect(await getDelivery(id)).toMatchObject({ type: 'webhook.test', state: 'delivered', tries: [{ status: 200 }] });
  });

  it('POST /webhooks/{id}/test makes one attempt, and a failure of this attempt does not pause or disable the webhook', async () => {
    for (const status of [500, 410]) {
      receiver.answer = { status };
      const id = getStringField(await postRequest('/test'), 'id');
      await makeDueAttempts();
      expect(await getDelivery(id)).toMatchObject({ state: 'failed', tries: [{ status }] });
      expect((await postRequest(`/deliveries/${id}/resend`)).body).toMatchObject({ status: 409, code: 'test_event' });
    }
    expect(await getWebhook()).toMatchObject({ enabled: true, failingSince: null, lastDelivery: null });
    advanceClock(HOUR_MS);
    await makeDueAttempts();
    expect(receiver.received).toHaveLength(2);
  });

  it('POST /webhooks/{id}/test sends the test event even if the webhook is paused or disabled or has many waiting events', async () => {
    receiver.answer = { status: 500 };
    const [eventId] = await writeDeliveries(20);
    await makeDueAttempts();
    expect(listReceived()).toEqual([eventId]);
    const paused = getStringField(await postRequest('/test'), 'id');
    await makeDueAttempts();
    await used.tenant.api.patch(`/api/webhooks/${webhookId}`).send({ enabled: false });
    const disabled = getStringField(await postRequest('/test'), 'id');
    await makeDueAttempts();
    expect(listReceived()).toEqual([eventId, paused, disabled]);
  });

  it('a webhook has at most one test event in progress, and that event counts toward the maximum number of deliveries in progress per organization', async () => {
    for (let count = 0; count < 3; count += 1) await postRequest('/test');
    expect(await enqueueDeliveries(used.test)).toHaveLength(1);
    expect(await enqueueDeliveries(used.test)).toEqual([]);
    const others = [await createWebhook(used.tenant), await createWebhook(used.tenant)];
    for (const other of others) await writeWebhookEvents(used.test, used.tenant, other, 5);
    expect(await enqueueDeliveries(used.test)).toHaveLength(3);
    await used.test.queues.runAllJobs();
  });

  it('the number of test events per webhook and hour is limited, even for parallel requests', async () => {
    const sent = await Promise.all(Array.from({ length: MAX_TEST_EVENTS + 4 }, async () => postRequest('/test')));
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(MAX_TEST_EVENTS);
    expect(sent.find(({ status }) => status === 429)?.body).toMatchObject({ code: 'too_many_test_events' });
    advanceClock(HOUR_MS);
    expect((await postRequest('/test')).status).toBe(200);
  });
});
