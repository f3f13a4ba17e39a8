import { createHmac } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { datasourceStatusQueue, webhookQueue, type DeliverWebhook } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { openWebhookHttpClient } from '../context.js';
import { datasources } from '../database/tables/datasources.js';
import { organizations } from '../database/tables/organizations.js';
import { createSite, getStringField, uploadText } from '../testing/create-resources.js';
import { startWebhookReceiver, type Receiver } from '../testing/webhook-receiver.js';
import { TEST_SETTINGS } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { enqueueDeliveries } from '../testing/webhooks.js';
import { deliverWebhook } from './deliver-webhook.js';

const settings = { ...TEST_SETTINGS, allowLoopback: { crawler: false, catalog: false, webhooks: true } };
const webhookFetch = openWebhookHttpClient(settings);
const NOW = new Date('2026-11-21T12:00:00.500Z');
let now = NOW;
const used = setUpTenant({ settings, webhookFetch, clock: () => now });

let receiver: Receiver;
let id: string;
let secret: string;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  startConsumers(used.test.gateway);
});
afterAll(() => {
  receiver.close();
});
beforeEach(async () => {
  now = NOW;
  receiver.received.length = 0;
  receiver.answer = { status: 200 };
  const made = await used.tenant.api.post('/api/webhooks').send({ url: receiver.url });
  [id, secret] = [getStringField(made, 'id'), getStringField(made, 'secret')];
});

/** Enqueues the event that ends the latest run of a datasource, and waits until the gateway has handled it. */
async function enqueueRunEnd(datasourceId: string, status: 'synched' | 'error' | 'usage_limit_reached'): Promise<void> {
  const { queues, gateway } = used.test;
  const [row] = await gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
  const event = { datasourceId, runId: row?.runId ?? '', sequence: 9_999, at: NOW.toISOString(), status };
  const why = status === 'synched' ? {} : { code: 'file_unreadable' as const, message: 'The file is damaged.' };
  await queues.createProducer(datasourceStatusQueue).add('status-changed', { ...event, ...why });
  await queues.runAllJobs();
}

/** Enqueues the event that ends the crawl of a site without documents, and waits until the gateway has handled it. */
async function enqueueEnumeration(datasourceId: string): Promise<void> {
  const { queues, gateway } = used.test;
  const [row] = await gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
  const event = { datasourceId, runId: row?.runId ?? '', at: NOW.toISOString(), complete: true };
  await queues.createProducer(datasourceStatusQueue).add('run-enumerated', event);
  await queues.runAllJobs();
}

/** Enqueues due deliveries. @returns all deliveries of the tenant that were ever enqueued */
async function enqueueDueDeliveries(): Promise<readonly DeliverWebhook[]> {
  await enqueueDeliveries(used.test);
  const jobs = used.test.queues.listAddedJobs(webhookQueue).map(({ payload }) => payload);
  return jobs.filter(({ organizationId }) => organizationId === used.tenant.organizationId);
}

/** Enqueues the due deliveries, and runs their jobs. Jobs of earlier attempts have no effect. */
async function makeDueAttempts(): Promise<void> {
  for (const job of await enqueueDueDeliveries())
    await deliverWebhook(used.test.gateway, job, new AbortController().signal);
}

/** Advances the clock beyond the end of every pause between attempts. */
const waitForRetry = (): void => {
  now = new Date(now.getTime() + 7_200_000);
};
const findWebhook = async () =>
  (await used.tenant.api.get(`/api/webhooks/${id}`)).body as { lastDelivery: unknown; waiting: number }; // as documented
const uploadFile = async (): Promise<string> => uploadText(used.tenant.api, used.datastore);
const getLastDelivery = async (): Promise<unknown> => (await findWebhook()).lastDelivery;

describe('the webhook deliveries at the end of a run', () => {
  it('a webhook receives the end of a run as a signed event with the details of the run', async () => {
    const datasourceId = await uploadFile();
    await enqueueRunEnd(datasourceId, 'error');
    await makeDueAttempts();
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(JSON.parse(body)).toEqual({
      type: 'datasource.error',
      timestamp: NOW.toISOString(),
      data: {
        ...{ datasourceId, datastoreId: used.datastore, runId: expect.any(String) as string },
        ...{
          name: 'notes.txt',
          customId: null,
          status: 'error',
          code: 'file_unreadable',
          message: 'The file is damaged.',
        },
      },
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-timestamp': '1795262400' });
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    expect(await getLastDelivery()).toEqual({
      ...{ at: NOW.toISOString(), eventId: headers['webhook-id'], delivered: true, status: 200, message: null },
    });
  });

  it.each(['synched', 'error', 'usage_limit_reached'] as const)(
    'the end of a run with the status %s is sent only to webhooks that subscribe to events of this status',
    async (status) => {
      const others = ['datasource.synched', 'datasource.error', 'datasource.usage_limit_reached'].filter(
        (type) => type !== `datasource.${status}`,
      );
      await used.tenant.api.post('/api/webhooks').send({ url: `${receiver.url}/others`, events: others });
      await enqueueRunEnd(await uploadFile(), status);
      expect(await enqueueDueDeliveries()).toMatchObject([{ webhookId: id, event: { type: `datasource.${status}` } }]);
    },
  );

  it('the ends of site runs and of cancelled runs are sent to webhooks, and the ends of dry runs are not sent', async () => {
    const cancelled = await createSite(used.tenant.api, used.datastore);
    await used.tenant.api.post(`/api/datasources/${cancelled}/cancel`);
    expect(await enqueueDueDeliveries()).toMatchObject([
      { event: { data: { datasourceId: cancelled, code: 'cancelled' } } },
    ]);
    const site = await createSite(used.tenant.api, used.datastore);
    await enqueueEnumeration(site);
    expect((await enqueueDueDeliveries()).at(-1)).toMatchObject({
      event: { type: 'datasource.synched', data: { datasourceId: site } },
    });
    const sent = (await enqueueDueDeliveries()).length;
    await used.tenant.api.post(`/api/datasources/${site}/sync?dryRun=true`);
    await enqueueRunEnd(site, 'synched');
    expect(await enqueueDueDeliveries()).toHaveLength(sent);
  });

  it.each(['file', 'site'])('the end of the run of a %s wakes the deliverer', async (kind) => {
    const { deliveriesDue } = used.test.gateway;
    const datasourceId = kind === 'file' ? await uploadFile() : await createSite(used.tenant.api, used.datastore);
    deliveriesDue.wake();
    await deliveriesDue.wait(0);
    if (kind === 'file') await enqueueRunEnd(datasourceId, 'synched');
    else await enqueueEnumeration(datasourceId);
    const woken = deliveriesDue.wait(60_000).then(() => true);
    expect(await Promise.race([woken, yieldToEventLoop(false)])).toBe(true);
    expect(await findWebhook()).toMatchObject({ waiting: 1 });
  });

  it('the end of a run is sent once, even if a worker reports it twice, and only to webhooks of the organization', async () => {
    const other = await used.test.createTenant();
    await other.api.post('/api/webhooks').send({ url: `${receiver.url}/other` });
    const datasourceId = await uploadFile();
    await enqueueRunEnd(datasourceId, 'synched');
    await enqueueRunEnd(datasourceId, 'synched');
    expect(await enqueueDueDeliveries()).toHaveLength(1);
    expect(
      used.test.queues
        .listAddedJobs(webhookQueue)
        .filter(({ payload }) => payload.organizationId === other.organizationId),
    ).toEqual([]);
  });
});

describe('a webhook delivery', () => {
  beforeEach(async () => {
    await enqueueRunEnd(await uploadFile(), 'synched');
  });

  it.each([500, 404, 302])(
    'a delivery to which the receiver responds with %s is retried, and the webhook shows the failed attempt',
    async (status) => {
      receiver.answer = { status, headers: { location: `${receiver.url}/elsewhere` } };
      await makeDueAttempts();
      expect(await getLastDelivery()).toMatchObject({
        delivered: false,
        status,
        message: `expected a status 2xx, found ${status}`,
      });
      expect(await findWebhook()).toMatchObject({ waiting: 1 });
      receiver.answer = { status: 204 };
      waitForRetry();
      await makeDueAttempts();
      expect(await findWebhook()).toMatchObject({ waiting: 0 });
      expect(await getLastDelivery()).toMatchObject({ delivered: true, status: 204 });
      const [first, second] = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect(receiver.received).toHaveLength(2);
      expect(first).toBe(second);
    },
  );

  it('a delivery is retried if the receiver cannot be reached', async () => {
    receiver.close();
    await makeDueAttempts();
    expect(await getLastDelivery()).toMatchObject({ delivered: false, status: null });
    receiver = await startWebhookReceiver();
    waitForRetry();
    expect((await enqueueDueDeliveries()).map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('a webhook is disabled if its receiver responds to a delivery with 410', async () => {
    receiver.answer = { status: 410 };
    await makeDueAttempts();
    expect(await findWebhook()).toMatchObject({
      ...{ enabled: false, waiting: 0 },
      disabledReason: { code: 'receiver_gone', message: 'The URL responded with 410.', at: NOW.toISOString() },
    });
    waitForRetry();
    await makeDueAttempts();
    expect(receiver.received).toHaveLength(1);
  });

  it('a delivery is not sent after the webhook was deleted', async () => {
    await used.tenant.api.delete(`/api/webhooks/${id}`);
    await makeDueAttempts();
    expect(receiver.received).toEqual([]);
  });

  it('a delivery that is already in the queue is not sent after its organization was deleted', async () => {
    const [job] = await enqueueDueDeliveries();
    if (job === undefined) throw new Error('expected a delivery in the queue');
    const { db } = used.test.gateway;
    await db.update(organizations).set({ removedAt: now }).where(eq(organizations.id, used.tenant.organizationId));
    await deliverWebhook(used.test.gateway, job, new AbortController().signal);
    expect(receiver.received).toEqual([]);
  });

  it('a delivery to an internal address is neither sent nor retried', async () => {
    const productionFetch = openWebhookHttpClient(TEST_SETTINGS);
    const [job] = await enqueueDueDeliveries();
    if (job === undefined) throw new Error('expected a delivery in the queue');
    const dependencies = { ...used.test.gateway, webhookFetch: productionFetch };
    await deliverWebhook(dependencies, job, new AbortController().signal);
    expect(await getLastDelivery()).toMatchObject({ delivered: false, status: null });
    waitForRetry();
    expect(await enqueueDueDeliveries()).toEqual([job]);
    expect(await findWebhook()).toMatchObject({ waiting: 0 });
    expect(receiver.received).toEqual([]);
    await productionFetch.close();
  });
});
