import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createAgent } from '../testing/create-resources.js';
import { startTestGateway } from '../testing/start-test-gateway.js';

it('a request to the query service contains the request id of the API request that caused it', async () => {
  const ids: unknown[] = [];
  const server = createServer((request, response) => {
    ids.push(request.headers['x-request-id']);
    request.resume().on('end', () => response.writeHead(503).end('{}'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // the address of a TCP server has this form
  const test = await startTestGateway({ queryService: { url: `http://127.0.0.1:${String(port)}`, token: 'token' } });
  onTestFinished(() => test.close());
  const { api } = await test.createTenant();
  const asking = api.post(`/api/agents/${await createAgent(api)}/query`).set('X-Request-Id', 'question-4711');
  expect((await asking.send({ query: 'Why?' })).status).toBe(503);
  expect(ids).toEqual(['question-4711']);
});
