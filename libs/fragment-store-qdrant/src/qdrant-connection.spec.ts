import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { QdrantConnection } from './qdrant-connection.js';
import { QdrantFailure } from './qdrant-failure.js';

describe('QdrantConnection', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  const serveAnswer = async (answer: RequestListener): Promise<string> => {
    const server = createServer(answer).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    // The address of a server that listens on a port is always an `AddressInfo`.
    return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  };

  /** Creates a listener that responds with the statuses in order, and then always with the last status. */
  const createAnswerInTurn = (...statuses: readonly number[]): { answer: RequestListener; requests: () => number } => {
    let requests = 0;
    return {
      answer: (_, response) => {
        const status = statuses[Math.min(requests, statuses.length - 1)] ?? 500;
        requests += 1;
        const body =
          status === 200 ? { result: { exists: true } } : { status: { error: `because of ${String(status)}` } };
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      },
      requests: () => requests,
    };
  };

  const requestCollectionExists = (connection: QdrantConnection): Promise<{ exists: boolean }> =>
    connection.sendRequest('look for x', (client) => client.collectionExists('x'));

  it.each([429, 500, 503])('QdrantConnection repeats a request after a response with status %i', async (status) => {
    const { answer, requests } = createAnswerInTurn(status, status, 200);
    const connection = new QdrantConnection({ url: await serveAnswer(answer) });
    expect(await requestCollectionExists(connection)).toEqual({ exists: true });
    expect(requests()).toBe(3);
  });

  it('QdrantConnection repeats a request if the TCP connection breaks before the response', async () => {
    let requests = 0;
    const { answer } = createAnswerInTurn(200);
    const url = await serveAnswer((request, response) => {
      requests += 1;
      if (requests < 3) request.socket.destroy();
      else answer(request, response);
    });
    expect(await requestCollectionExists(new QdrantConnection({ url }))).toEqual({ exists: true });
  });

  it('QdrantConnection does not repeat a request after status 400, and throws an error with the operation and the response', async () => {
    const { answer, requests } = createAnswerInTurn(400);
    const url = await serveAnswer(answer);
    const refused = requestCollectionExists(new QdrantConnection({ url }));
    await expect(refused).rejects.toBeInstanceOf(QdrantFailure);
    await expect(refused).rejects.toThrow(`Qdrant at ${url} failed to look for x: 400 because of 400`);
    expect(requests()).toBe(1);
  });

  it('if a request fails until `retryMs` have passed, QdrantConnection throws an error with the URL and the last response', async () => {
    const { answer, requests } = createAnswerInTurn(503);
    const url = await serveAnswer(answer);
    const connection = new QdrantConnection({ url, timing: { retryMs: 200 } });
    await expect(requestCollectionExists(connection)).rejects.toThrow(
      `Qdrant at ${url} failed to look for x: 503 because of 503`,
    );
    expect(requests()).toBeGreaterThan(1);
  });

  it('if the server is unreachable, the error of a request contains the reason, and the error of a ping contains the URL', async () => {
    const url = await serveAnswer(createAnswerInTurn(200).answer);
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    const connection = new QdrantConnection({ url, timing: { retryMs: 0 } });
    await expect(requestCollectionExists(connection)).rejects.toThrow(/ECONNREFUSED/);
    await expect(connection.ping()).rejects.toThrow(`Qdrant at ${url}`);
  });

  it('if no response arrives within `requestTimeoutMs`, QdrantConnection throws an error that names the operation', async () => {
    const url = await serveAnswer(() => undefined);
    const connection = new QdrantConnection({ url, timing: { requestTimeoutMs: 50, retryMs: 0 } });
    await expect(requestCollectionExists(connection)).rejects.toThrow('look for x');
  });

  it('sendToExistingCollection returns undefined if the collection does not exist', async () => {
    const { answer } = createAnswerInTurn(404);
    const connection = new QdrantConnection({ url: await serveAnswer(answer) });
    expect(
      await connection.sendToExistingCollection('look for x', (client) => client.getCollection('x')),
    ).toBeUndefined();
  });

  it('QdrantConnection sends the API key, keeps the path of the configured URL, and prints no warning', async () => {
    const seen: unknown[] = [];
    const { answer } = createAnswerInTurn(200);
    const url = await serveAnswer((request, response) => {
      seen.push([request.url, request.headers['api-key']]);
      answer(request, response);
    });
    const warnings = await collectWarnings(async () => {
      await requestCollectionExists(new QdrantConnection({ url: `${url}/behind/proxy/`, apiKey: 'secret' }));
      await requestCollectionExists(new QdrantConnection({ url }));
    });
    expect(seen).toEqual([
      ['/behind/proxy/collections/x/exists', 'secret'],
      ['/collections/x/exists', undefined],
    ]);
    expect(warnings).toEqual([]);
  });

  it('scrollPoints sends the API key, keeps the path of the configured URL, requests no compression, and retries after 503', async () => {
    const seen: unknown[] = [];
    const url = await serveAnswer((request, response) => {
      const { 'api-key': key, 'accept-encoding': encoding } = request.headers;
      seen.push([request.method, request.url, key, encoding]);
      const page = { result: { points: [], next_page_offset: null } };
      response.writeHead(seen.length === 1 ? 503 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(page));
    });
    const connection = new QdrantConnection({ url: `${url}/behind/proxy/`, apiKey: 'secret' });
    const page = await connection.scrollPoints('read points of x', 'x y', { limit: 1 });
    expect(page).toEqual({ points: [], next_page_offset: null });
    expect(seen).toEqual(
      Array.from({ length: 2 }, () => ['POST', '/behind/proxy/collections/x%20y/points/scroll', 'secret', 'identity']),
    );
  });

  it('scrollPoints returns undefined if the collection is missing, and throws an error with the response for status 400', async () => {
    const scrollPoints = async (status: number) => {
      const url = await serveAnswer(createAnswerInTurn(status).answer);
      return new QdrantConnection({ url }).scrollPoints('read points of x', 'x', { limit: 1 });
    };
    expect(await scrollPoints(404)).toBeUndefined();
    await expect(scrollPoints(400)).rejects.toThrow('failed to read points of x: 400 because of 400');
  });

  it('QdrantConnection rejects a URL that does not begin with http:// or https://', () => {
    expect(() => new QdrantConnection({ url: 'localhost:6333' })).toThrow('begins with http:// or https://');
  });
});

/** Runs `act` and returns the arguments of each warning that it printed. */
async function collectWarnings(act: () => Promise<void>): Promise<readonly unknown[][]> {
  const { warn } = console;
  const warnings: unknown[][] = [];
  console.warn = (...values: unknown[]) => void warnings.push(values);
  try {
    await act();
  } finally {
    console.warn = warn;
  }
  return warnings;
}
