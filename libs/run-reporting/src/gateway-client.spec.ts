import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { TryLater } from '@quarry/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { createGatewayClient } from './gateway-client.js';

const CLAIM = { organizationId: 'o', datasourceId: 's', documentKey: 'd', tokens: 5 };

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function startGateway(answer: RequestListener): Promise<{ url: string; token: string }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${getPort(server)}`, token: 'secret' };
}

function getPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`expected a port, found ${String(address)}`);
  return address.port;
}

describe('createGatewayClient', () => {
  it('claimTokens sends the claim with the shared secret as bearer token, and returns the response', async () => {
    const received: unknown[] = [];
    const address = await startGateway((request, response) => {
      void json(request).then((body) => {
        received.push(request.method, request.url, request.headers.authorization, body);
        response.end(JSON.stringify({ granted: false, code: 'usage_limit_reached', message: 'full', more: 1 }));
      });
    });
    expect(await createGatewayClient(address).claimTokens(CLAIM)).toMatchObject({
      granted: false,
      code: 'usage_limit_reached',
    });
    expect(received).toEqual(['POST', '/internal/usage/reservations', 'Bearer secret', CLAIM]);
  });

  it.each([502, 503, 504])(
    'the gateway client throws TryLater if the gateway responds with status %s',
    async (status) => {
      const address = await startGateway((_request, response) => response.writeHead(status).end());
      await expect(createGatewayClient(address).claimTokens(CLAIM)).rejects.toThrow(TryLater);
    },
  );

  it.each([200, 500])(
    'the gateway client throws TryLater if the connection ends in the middle of a response with the status %s',
    async (status) => {
      const address = await startGateway((_request, response) => {
        response.writeHead(status, { 'Content-Length': '100' });
        response.write('{', () => response.destroy());
      });
      await expect(createGatewayClient(address).claimTokens(CLAIM)).rejects.toThrow(TryLater);
    },
  );

  it('the gateway client throws TryLater when the gateway is unreachable', async () => {
    const address = await startGateway(() => undefined);
    for (const close of closing.splice(0)) close();
    await expect(createGatewayClient(address).claimTokens(CLAIM)).rejects.toThrow(TryLater);
  });

  it.each([
    [401, 'no'],
    [200, '{}'],
    [200, 'no JSON'],
  ])(
    'the gateway client throws an error other than TryLater for a response with status %s and body %s',
    async (status, text) => {
      const address = await startGateway((_request, response) => response.writeHead(status).end(text));
      const error: unknown = await createGatewayClient(address)
        .claimTokens(CLAIM)
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(TryLater);
    },
  );

  it.each([
    [200, 'expected a response of at most 67108864 bytes, found a longer one'],
    [400, 'the gateway responded with 400'],
  ])(
    'the gateway client reads an endless response with the status %s only up to the maximum size',
    async (status, message) => {
      const closed = Promise.withResolvers<unknown>();
      const address = await startGateway((_request, response) => {
        const write = (): void => {
          while (!response.destroyed && response.write('x'.repeat(1024 * 1024)));
        };
        response.writeHead(status).on('drain', write).on('close', closed.resolve);
        write();
      });
      await expect(createGatewayClient(address).claimTokens(CLAIM)).rejects.toThrow(message);
      await closed.promise;
    },
  );
});
