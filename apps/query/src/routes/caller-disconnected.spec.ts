import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { Response } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDisconnectSignal } from './caller-disconnected.js';

/** Creates a server response whose client has disconnected. */
async function createAbandonedResponse(): Promise<ServerResponse> {
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
  if (address === null || typeof address === 'string') throw new Error('expected the port of the server, found none');
  const client = request({ host: '127.0.0.1', port: address.port });
  client.once('error', () => undefined);
  client.end();
  const response = await received.promise;
  client.destroy();
  await once(response, 'close');
  return response;
}

describe('createDisconnectSignal', () => {
  it('createDisconnectSignal returns an aborted signal if the caller has already disconnected', async () => {
    // Express adds methods to Node's response that this test does not use.
    const response = (await createAbandonedResponse()) as Response;
    expect(createDisconnectSignal(response).aborted).toBe(true);
  });
});
