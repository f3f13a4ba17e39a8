import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it } from 'vitest';
import type { Gateway } from '../gateway.js';
import { receiveForm } from './receive-upload.js';

const FORM = [
  '--boundary',
  'Content-Disposition: form-data; name="file"; filename="a.txt"',
  'Content-Type: text/plain',
  '',
  'text',
  '--boundary--',
  '',
].join('\r\n');

it('a file that arrives after the headers of a request is processed in the asynchronous context of that request', async () => {
  const context = new AsyncLocalStorage<string>();
  const arrived = Promise.withResolvers<undefined>();
  const seen = Promise.withResolvers<string | undefined>();
  // The upload fails when the gateway reserves a blob, so other fields of the gateway are not used.
  const gateway = { limits: { fileBytes: 1_000 } } as Gateway;
  const reserveBlob = (): Promise<string> => {
    seen.resolve(context.getStore());
    return Promise.reject(new Error('end of the test'));
  };
  const app = express().post('/', (request, response) => {
    context.run('the request', () => {
      receiveForm(gateway, { reserveBlob }, request, response).catch(() => response.end());
    });
    arrived.resolve(undefined);
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // the address of a TCP server has this form

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
