import { createHmac } from 'node:crypto';
import { datasourceStatusQueue, webhookQueue, type DeliverWebhook } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { openWebhookFetch } from '../context.js';
import { datasources } from '../database/tables/datasources.js';
import { publishOutbox } from '../testing/jobs.js';
import { makeSite, getStringField, uploadText } from '../testing/make.js';
import { startReceiver, type Receiver } from '../testing/receiver.js';
import { TEST_SETTINGS } from '../testing/start-test-gateway.js';
import { useTenant } from '../testing/use-tenant.js';
import { deliverWebhook } from './deliver-webhook.js';

const settings = { ...TEST_SETTINGS, allowLoopback: { crawler: false, catalog: false, webhooks: true } };
const webhookFetch = openWebhookFetch(settings);
const NOW = new Date('2026-11-21T12:00:00.500Z');
const used = useTenant({ settings, webhookFetch, clock: () => NOW });

let receiver: Receiver;
let id: string;
let secret: string;
beforeAll(async () => {
  receiver = await startReceiver();
  startConsumers(used.test.gateway);
});
afterAll(() => {
  receiver.close();
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer = { status: 200 };
  const made = await used.tenant.api.post('/api/webhooks').send({ url: receiver.url });
  [id, secret] = [getStringField(made, 'id'), getStringField(made, 'secret')];
});

/** Reports the end of a datasource's run, as a worker does. */
async function reportEnd(datasourceId: string, status: 'synched' | 'error' | 'usage_limit_reached'): Promise<void> {
  const { queues, gateway } = used.test;
  const [row] = await gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
  const event = { datasourceId, runId: row?.runId ?? '', sequence: 9_999, at: NOW.toISOString(), status };
  const why = status === 'synched' ? {} : { code: 'file_unreadable' as const, message: 'The file is damaged.' };
  await queues.producer(datasourceStatusQueue).add('status-changed', { ...event, ...why });
  await queues.drain();
}

/** Lists the delivery jobs of the tenant that were enqueued so far. */
async function listDeliveries(): Promise<readonly DeliverWebhook[]> {
  await publishOutbox(used.test);
  const jobs = used.test.queues.added(webhookQueue).map(({ payload }) => payload);
  return jobs.filter(({ organizationId }) => organizationId === used.tenant.organizationId);
}

async function deliverAll(): Promise<void> {
  for (const job of await listDeliveries()) await deliverWebhook(used.test.gateway, job, new AbortController().signal);
}

const uploadFile = async (): Promise<string> => uploadText(used.tenant.api, used.datastore);
const getLastDelivery = async (): Promise<unknown> =>
  ((await used.tenant.api.get(`/api/webhooks/${id}`)).body as { lastDelivery: unknown }).lastDelivery; // as documented

describe('the end of a run', () => {
  it('the end of a run is sent to a webhook, with a valid signature and the data of the run', async () => {
    const datasourceId = await uploadFile();
    await reportEnd(datasourceId, 'error');
    await deliverAll();
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
    'a run that ends as %s is sent to the webhooks that subscribe to this event only',
    async (status) => {
      const others = ['datasource.synched', 'datasource.error', 'datasource.usage_limit_reached'].filter(
        (type) => type !== `datasource.${status}`,
      );
      await used.tenant.api.post('/api/webhooks').send({ url: `${receiver.url}/others`, events: others });
      await reportEnd(await uploadFile(), status);
      expect(await listDeliveries()).toMatchObject([{ webhookId: id, event: { type: `datasource.${status}` } }]);
    },
  );

  it('webhooks receive the end of a site run and of a cancelled run, and not the end of a dry run', async () => {
    const cancelled = await makeSite(used.tenant.api, used.datastore);
    await used.tenant.api.post(`/api/datasources/${cancelled}/cancel`);
    expect(await listDeliveries()).toMatchObject([{ event: { data: { datasourceId: cancelled, code: 'cancelled' } } }]);
    const site = await makeSite(used.tenant.api, used.datastore);
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, site));
    const event = { datasourceId: site, runId: row?.runId ?? '', at: NOW.toISOString(), complete: true };
    await used.test.queues.producer(datasourceStatusQueue).add('run-enumerated', event);
    await used.test.queues.drain();
    expect((await listDeliveries()).at(-1)).toMatchObject({
      event: { type: 'datasource.synched', data: { datasourceId: site } },
    });
    const sent = (await listDeliveries()).length;
    await used.tenant.api.post(`/api/datasources/${site}/sync?dryRun=true`);
    await reportEnd(site, 'synched');
    expect(await listDeliveries()).toHaveLength(sent);
  });

  it('webhooks receive the end of a run once, even if a worker reports it twice, and none of other organizations', async () => {
    const other = await used.test.tenant();
    await other.api.post('/api/webhooks').send({ url: `${receiver.url}/other` });
    const datasourceId = await uploadFile();
    await reportEnd(datasourceId, 'synched');
    await reportEnd(datasourceId, 'synched');
    expect(await listDeliveries()).toHaveLength(1);
    expect(
      used.test.queues.added(webhookQueue).filter(({ payload }) => payload.organizationId === other.organizationId),
    ).toEqual([]);
  });
});

describe('a delivery', () => {
  beforeEach(async () => {
    await reportEnd(await uploadFile(), 'synched');
  });

  it.each([500, 404, 302])(
    'a webhook delivery that receives %s is retried, and the API shows the failed attempt',
    async (status) => {
      receiver.answer = { status, headers: { location: `${receiver.url}/elsewhere` } };
      await expect(deliverAll()).rejects.toThrow(`expected a status 2xx, found ${status}`);
      expect(await getLastDelivery()).toMatchObject({
        delivered: false,
        status,
        message: `expected a status 2xx, found ${status}`,
      });
      receiver.answer = { status: 204 };
      await deliverAll();
      expect(await getLastDelivery()).toMatchObject({ delivered: true, status: 204 });
      const [first, second] = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect(receiver.received).toHaveLength(2);
      expect(first).toBe(second);
    },
  );

  it('a webhook delivery is retried for about a day, with growing intervals', () => {
    const { attempts, backoff } = webhookQueue.jobs['deliver-webhook'];
    const waits = Array.from({ length: attempts - 1 }, (_, n) =>
      Math.min(backoff.delayMs * 2 ** n, backoff.maxDelayMs),
    );
    const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3_600_000;
    expect(hours).toBeGreaterThan(20);
    expect(hours).toBeLessThan(28);
  });

  it('a webhook delivery is retried when the receiver does not answer', async () => {
    receiver.close();
    await expect(deliverAll()).rejects.not.toMatchObject({ name: 'GiveUp' });
    expect(await getLastDelivery()).toMatchObject({ delivered: false, status: null });
    receiver = await startReceiver();
  });

  it('a webhook delivery that receives 410 disables the webhook', async () => {
    receiver.answer = { status: 410 };
    await expect(deliverAll()).rejects.toMatchObject({ name: 'GiveUp' });
    expect((await used.tenant.api.get(`/api/webhooks/${id}`)).body).toMatchObject({ enabled: false });
    await deliverAll();
    expect(receiver.received).toHaveLength(1);
  });

  it('a webhook delivery is dropped after the webhook was deleted', async () => {
    await used.tenant.api.delete(`/api/webhooks/${id}`);
    await deliverAll();
    expect(receiver.received).toEqual([]);
  });

  it('a webhook delivery to an internal address is neither sent nor retried', async () => {
    const productionFetch = openWebhookFetch(TEST_SETTINGS);
    const [job] = await listDeliveries();
    if (job === undefined) throw new Error('expected a delivery in the queue');
    const dependencies = { ...used.test.gateway, webhookFetch: productionFetch };
    await expect(deliverWebhook(dependencies, job, new AbortController().signal)).rejects.toMatchObject({
      name: 'GiveUp',
    });
    expect(receiver.received).toEqual([]);
    await productionFetch.close();
  });
});
