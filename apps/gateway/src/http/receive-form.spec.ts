import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it } from 'vitest';
import type { Gateway } from '../gateway.js';
import { receiveForm } from './receive-form.js';

const FORM = [
  '--boundary',
  'Content-Disposition: form-data; name="file"; filename="a.txt"',
  'Content-Type: text/plain',
  '',
  'text',
  '--boundary--',
  '',
].join('\r\n');

it('takes a file that comes after the head of its request as a part of that request', async () => {
  const place = new AsyncLocalStorage<string>();
  const arrived = Promise.withResolvers<undefined>();
  const seen = Promise.withResolvers<string | undefined>();
  // Nothing else is needed: the file ends where it gets its key.
  const gateway = { limits: { fileBytes: 1_000 } } as Gateway;
  const keyFor = (): Promise<string> => {
    seen.resolve(place.getStore());
    return Promise.reject(new Error('that is enough'));
  };
  const app = express().post('/', (request, response) => {
    place.run('the request', () => {
      receiveForm(gateway, { organizationId: 'o', keyFor }, request, response).catch(() => response.end());
    });
    arrived.resolve(undefined);
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form

  const headers = { 'Content-Type': 'multipart/form-data; boundary=boundary' };
  const sent = send({ port, host: '127.0.0.1', method: 'POST', headers });
  sent.flushHeaders();
  await arrived.promise;
  sent.end(FORM);
  expect(await seen.promise).toBe('the request');
  await once(sent, 'response');
  server.closeAllConnections();
  server.close();
});
