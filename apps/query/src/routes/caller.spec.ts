import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { Response } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { leavingOf } from './caller.js';

/** The server's side of a request whose client has left. */
async function abandonedResponse(): Promise<ServerResponse> {
  const received = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => {
    received.resolve(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  const client = request({ host: '127.0.0.1', port: address.port });
  client.once('error', () => undefined);
  client.end();
  const response = await received.promise;
  client.destroy();
  await once(response, 'close');
  return response;
}

it('reports a caller that had left before anybody asked', async () => {
  // Express adds to Node's response what is not used here.
  const response = (await abandonedResponse()) as Response;
  expect(leavingOf(response).aborted).toBe(true);
});
