import { randomBytes } from 'node:crypto';
import { type DeliveryDetailResponse, type DeliveryResponse, MAX_STORED_TRIES } from '@quarry/contracts';
import { createSecretCipher } from '@quarry/encrypted-secrets';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDeliveryConsumer } from '../consumers.js';
import { openWebhookHttpClient } from '../context.js';
import { webhookDeliveries } from '../database/tables/webhook-deliveries.js';
import { deliverWebhook } from './deliver-webhook.js';
import { getStringField } from '../testing/create-resources.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { startWebhookReceiver, type Receiver } from '../testing/webhook-receiver.js';
import { TEST_SETTINGS } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { enqueueDeliveries, createWebhook, writeWebhookEvents } from '../testing/webhooks.js';
import { ENDED_RETENTION_MS, LEASE_MS } from './deliveries.js';
import { removeOldDeliveries } from './remove-old-deliveries.js';

const HOUR_MS = 3_600_000;
/** Timeout of an attempt in milliseconds, short so that tests of receivers that do not respond are fast. */
const TIMEOUT_MS = 300;
let now = new Date();
const settings = { ...TEST_SETTINGS, allowLoopback: { crawler: false, catalog: false, webhooks: true } };
const realFetch = openWebhookHttpClient(settings);
const webhookFetch: typeof realFetch = {
  ...realFetch,
  fetch: async (url, options) => realFetch.fetch(url, { ...options, limits: { totalMs: TIMEOUT_MS } }),
};
const used = setUpTenant({ settings, webhookFetch, clock: () => now });
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

const getDeliveriesPath = (rest = ''): string => `/api/webhooks/${webhookId}${rest}`;

/** Writes an event. @returns the id of the event */
async function writeWebhookEvent(): Promise<string> {
  const [eventId = ''] = await writeWebhookEvents(used.test, used.tenant, webhookId);
  return eventId;
}

/** Enqueues the due deliveries, and runs their jobs once. */
async function makeDueAttempts({ secretCipher } = used.test.gateway): Promise<void> {
  await enqueueDeliveries(used.test);
  const deliveries = startDeliveryConsumer({ ...used.test.gateway, secretCipher });
  await used.test.queues.runAllJobs();
  await deliveries.close(0);
}

async function listDeliveries(query: object = {}): Promise<readonly DeliveryResponse[]> {
  const listed = await used.tenant.api.get(getDeliveriesPath('/deliveries')).query(query);
  expectDocumented(listed, 'get', '/webhooks/{id}/deliveries');
  return (listed.body as { items: readonly DeliveryResponse[] }).items; // as documented
}

async function getDelivery(id: string): Promise<DeliveryDetailResponse> {
  const found = await used.tenant.api.get(getDeliveriesPath(`/deliveries/${id}`));
  expectDocumented(found, 'get', '/webhooks/{id}/deliveries/{deliveryId}');
  return found.body as DeliveryDetailResponse; // as documented
}

describe('the list of deliveries', () => {
  it('GET /webhooks/{id}/deliveries lists waiting, delivered and failed deliveries, newest first', async () => {
    const delivered = await writeWebhookEvent();
    await makeDueAttempts();
    receiver.answer = { status: 410 };
    const failed = await writeWebhookEvent();
    await makeDueAttempts();
    await used.tenant.api.patch(getDeliveriesPath()).send({ enabled: true });
    const waiting = await writeWebhookEvent();
    const [first, second, third] = await listDeliveries();
    expect(first).toMatchObject({
      ...{ id: waiting, state: 'waiting', nextAttemptAt: now.toISOString(), endedAt: null, tries: [] },
      type: 'datasource.synched',
    });
    expect(second).toMatchObject({ id: failed, state: 'failed', failure: 'receiver_gone', tries: [{ status: 410 }] });
    expect(third).toMatchObject({
      ...{ id: delivered, state: 'delivered', failure: null, nextAttemptAt: null, endedAt: now.toISOString() },
      tries: [
        {
          attempt: 1,
          at: now.toISOString(),
          url: receiver.url,
          status: 200,
          error: null,
          errorCode: null,
          responseBody: 'ok',
        },
      ],
    });
    for (const state of ['waiting', 'failed', 'delivered'] as const)
      expect((await listDeliveries({ state })).map((each) => each.state)).toEqual([state]);
    expect(await listDeliveries({ type: 'webhook.test' })).toEqual([]);
    expect(await listDeliveries({ type: 'datasource.synched' })).toHaveLength(3);
    expect((await used.tenant.api.get(getDeliveriesPath())).body).toMatchObject({ waiting: 1 });
  });

  it('a receiver that responds with 410 ends all waiting deliveries of the webhook', async () => {
    for (let count = 0; count < 4; count += 1) await writeWebhookEvent();
    receiver.answer = { status: 410 };
    await makeDueAttempts();
    const deliveries = await listDeliveries({ state: 'failed' });
    expect(deliveries.map(({ failure }) => failure)).toEqual(Array.from({ length: 4 }, () => 'receiver_gone'));
    expect((await used.tenant.api.get(getDeliveriesPath())).body).toMatchObject({ waiting: 0, enabled: false });
  });

  it('GET /webhooks/{id}/deliveries refuses unknown states and event types', async () => {
    for (const query of [{ state: 'lost' }, { type: 'datasource.made' }])
      expect((await used.tenant.api.get(getDeliveriesPath('/deliveries')).query(query)).status).toBe(400);
  });
});

describe('a recorded delivery attempt', () => {
  it.each([
    ['text', 'text/plain; charset=utf-8', 'not today', 'not today'],
    ['JSON', 'application/problem+json', '{"code":1}', '{"code":1}'],
    ['an image', 'image/png', 'PNG', null],
    ['nothing', 'text/plain', '', null],
    ['NUL and escape characters', 'text/html', 'a\0\u001bb', 'ab'],
    ['invalid UTF-8', 'text/plain', Buffer.from([0x61, 0xff]), 'a\ufffd'],
    ['a long text', 'text/plain', '\u{1f600}'.repeat(100_000), '\u{1f600}'.repeat(1_000)],
  ])(
    'a recorded attempt contains the beginning of the response body, or null if the body is not text or is empty: %s',
    async (_name, type, body, expected) => {
      receiver.answer = { status: 503, headers: { 'content-type': type }, body };
      const id = await writeWebhookEvent();
      await makeDueAttempts();
      expect((await getDelivery(id)).tries).toMatchObject([
        { status: 503, error: 'expected a status 2xx, found 503', responseBody: expected },
      ]);
    },
  );

  it('an attempt records the status of a redirect, and does not follow the redirect', async () => {
    receiver.answer = { status: 302, headers: { location: `${receiver.url}/elsewhere` } };
    const id = await writeWebhookEvent();
    await makeDueAttempts();
    expect((await getDelivery(id)).tries).toMatchObject([
      { status: 302, error: 'expected a status 2xx, found 302', errorCode: 'unexpected_status' },
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  it.each([200, 503])(
    'an attempt whose response has the status %s and more than 32 KiB of headers is recorded as invalid, and the event is retried',
    async (status) => {
      receiver.answer = { status, headers: { 'x-debug': 'x'.repeat(33 * 1024) } };
      const id = await writeWebhookEvent();
      await makeDueAttempts();
      expect(await getDelivery(id)).toMatchObject({
        ...{ state: 'waiting', failure: null },
        tries: [{ status: null, error: expect.stringContaining('headers') as string, errorCode: 'invalid_response' }],
      });
    },
  );

  it('an attempt whose secret cannot be decrypted sends no request, and is recorded with the reason', async () => {
    const attempted = await writeWebhookEvent();
    const tested = getStringField(await used.tenant.api.post(getDeliveriesPath('/test')), 'id');
    await makeDueAttempts({ ...used.test.gateway, secretCipher: createSecretCipher([randomBytes(32)]) });
    expect(receiver.received).toEqual([]);
    expect(used.test.logged.join('\n')).toContain('the secret of a webhook cannot be decrypted');
    const error = expect.stringContaining('rotate the secret') as string;
    const tries = [{ attempt: 1, status: null, error, errorCode: 'secret_unreadable' }];
    expect(await getDelivery(attempted)).toMatchObject({ state: 'waiting', tries });
    expect(await getDelivery(tested)).toMatchObject({ state: 'failed', failure: 'attempts_exhausted', tries });
  });

  it('a recorded attempt without a response contains the error and the duration of the attempt', async () => {
    const release = receiver.delayResponses();
    const id = await writeWebhookEvent();
    await makeDueAttempts();
    release();
    const [made] = (await getDelivery(id)).tries;
    const error = expect.stringContaining('ms') as string;
    expect(made).toMatchObject({ status: null, responseBody: null, error, errorCode: 'timeout' });
    expect(made?.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 1);
  });

  it('if the body of a response never ends, the status code of the response decides whether the attempt succeeds', async () => {
    receiver.answer = { status: 202, headers: { 'content-type': 'text/plain' }, body: 'begun', isEndless: true };
    const id = await writeWebhookEvent();
    await makeDueAttempts();
    expect(await getDelivery(id)).toMatchObject({
      state: 'delivered',
      tries: [{ status: 202, responseBody: 'begun' }],
    });
  });

  it('a delivery stores only its latest attempts', async () => {
    receiver.answer = { status: 500 };
    const id = await writeWebhookEvent();
    for (let count = 0; count < 32; count += 1) {
      await makeDueAttempts();
      advanceClock(2 * HOUR_MS);
    }
    const { state, failure, tries } = await getDelivery(id);
    expect([state, failure]).toEqual(['failed', 'attempts_exhausted']);
    expect(tries.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: MAX_STORED_TRIES }, (_each, index) => 32 - MAX_STORED_TRIES + 1 + index),
    );
  });

  it('if the gateway is killed during an attempt, the attempt is not recorded and the event is sent again', async () => {
    const id = await writeWebhookEvent();
    const [job] = await enqueueDeliveries(used.test);
    if (job === undefined) throw new Error('expected a job');
    const { gateway } = used.test;
    const db = Object.create(gateway.db, {
      transaction: { value: async () => Promise.reject(new Error('the process was killed')) },
    }) as typeof gateway.db; // the same database, without transactions
    const delivery = deliverWebhook({ ...gateway, db }, job, new AbortController().signal);
    await expect(delivery).rejects.toThrow('killed');
    expect(await getDelivery(id)).toMatchObject({ state: 'waiting', tries: [] });
    advanceClock(LEASE_MS);
    await makeDueAttempts();
    expect(await getDelivery(id)).toMatchObject({ state: 'delivered', tries: [{ attempt: 2, status: 200 }] });
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  });
});

describe('a stored delivery', () => {
  it('a stored delivery contains the request that was sent, without the signature', async () => {
    const id = await writeWebhookEvent();
    const before = await getDelivery(id);
    expect(before.request.headers).toEqual({ 'content-type': 'application/json', 'webhook-id': id });
    await makeDueAttempts();
    const { request } = await getDelivery(id);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(request.body).toBe(body);
    expect(request.headers).toEqual({
      'content-type': headers['content-type'],
      'webhook-id': headers['webhook-id'],
      'webhook-timestamp': headers['webhook-timestamp'],
      'webhook-signature': 'v1,…',
    });
  });

  it('a stored delivery is deleted a week after it has ended, or together with the webhook', async () => {
    const { gateway } = used.test;
    await writeWebhookEvent();
    await makeDueAttempts();
    advanceClock(ENDED_RETENTION_MS - 1);
    await removeOldDeliveries(gateway);
    expect(await listDeliveries()).toHaveLength(1);
    advanceClock(1);
    expect(await removeOldDeliveries(gateway)).toBe(0);
    expect(await listDeliveries()).toEqual([]);
    await writeWebhookEvent();
    await makeDueAttempts();
    await used.tenant.api.delete(getDeliveriesPath());
    expect(await gateway.db.$count(webhookDeliveries)).toBe(0);
  });

  it('the API does not find a delivery of another organization or of another webhook', async () => {
    const other = await used.test.createTenant();
    const otherWebhook = await createWebhook(other, receiver.url);
    const id = await writeWebhookEvent();
    for (const [api, path] of [
      [other.api, getDeliveriesPath(`/deliveries/${id}`)],
      [other.api, `/api/webhooks/${otherWebhook}/deliveries/${id}`],
    ] as const) {
      expect((await api.get(path)).status).toBe(404);
      expect((await api.post(`${path}/resend`)).status).toBe(404);
    }
    expect((await other.api.get(`/api/webhooks/${otherWebhook}/deliveries`)).body).toMatchObject({ items: [] });
  });
});
