import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createOllamaFinder } from './find-ollama.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function startServer(respond: RequestListener): Promise<string> {
  server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listens on a port
}

const NOT_FOUND = { status: 'not_found', baseUrl: null, models: [] };

describe('createOllamaFinder', () => {
  it('the finder that createOllamaFinder creates returns the address and the models of an Ollama server', async () => {
    const url = await startServer((request, response) => {
      response.statusCode = request.url === '/api/tags' ? 200 : 404;
      response.end(
        JSON.stringify({ models: [{ name: 'llama3.2:latest', size: 1 }, { name: 'qwen3:8b' }, { size: 2 }] }),
      );
    });
    expect(await createOllamaFinder(url)()).toEqual({
      ...{ status: 'found', baseUrl: `${url}/v1`, models: ['llama3.2:latest', 'qwen3:8b'] },
    });
  });

  it.each<[string, RequestListener]>([
    ['another server', (_, response) => response.end('<html>')],
    ['a server without models', (_, response) => response.end('{}')],
    ['an error', (_, response) => response.writeHead(500).end('{"models":[]}')],
    ['a redirect', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['a response that is too large', (_, response) => response.end(`{"models":[],"x":"${'x'.repeat(1_100_000)}"}`)],
    ['no response in time', () => undefined],
  ])('the finder that createOllamaFinder creates returns `not_found` if it encounters %s', async (_, respond) => {
    expect(await createOllamaFinder(await startServer(respond))()).toEqual(NOT_FOUND);
  });

  it('the finder that createOllamaFinder creates returns `not_found` if no server listens at the address', async () => {
    const url = await startServer(() => undefined);
    server?.close();
    expect(await createOllamaFinder(url)()).toEqual(NOT_FOUND);
  });

  it('if createOllamaFinder gets no address, because the services run on several machines, its finder returns `not_supported`', async () => {
    expect(await createOllamaFinder(undefined)()).toEqual({ ...NOT_FOUND, status: 'not_supported' });
  });
});
