import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeOnEachStack } from './quarry/stacks.js';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Received[] = [];
/** HTTP statuses of the receiver's next responses, in order. While the list is empty, responses have the status 200. */
const answers: number[] = [];
const server = createServer((request, response) => {
  void text(request).then((body) => {
    received.push({ headers: request.headers, body });
    response.writeHead(answers.shift() ?? 200).end();
  });
});
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`; // a TCP server has this form of address
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const NEEDS = {
  variables: { QUARRY_WEBHOOKS_ALLOW_LOOPBACK: 'true' },
  servers: () => [url],
  notAtAddress: 'it cannot connect to the webhook receiver of the tests',
};

describeOnEachStack('a webhook', NEEDS, (quarry) => {
  it('a webhook receives a signed event when a document is searchable, and receives the event again after a failed delivery attempt', async () => {
    received.length = 0;
    answers.push(503);
    const { id, secret } = await quarry().createWebhook({ url, events: ['datasource.synched'] });
    const { id: datastoreId } = await quarry().createDatastore({ name: 'Notes' });
    const note = { name: 'opening', text: 'The shop opens at nine.' };
    const [datasourceId] = (await quarry().upsertDocuments(datastoreId, [note])).ids;
    await vi.waitUntil(() => received.length === 2, { timeout: 60_000, interval: 50 });
    const [first, second] = received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(JSON.parse(second?.body ?? '')).toMatchObject({
      type: 'datasource.synched',
      data: { datasourceId, datastoreId, name: 'opening', status: 'synched', code: null },
    });
    for (const { headers, body } of received) {
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    }
    await expect
      .poll(async () => (await quarry().getWebhook(id)).lastDelivery)
      .toMatchObject({ delivered: true, status: 200, message: null });
    await quarry().deleteWebhook(id);
  });
});
