import { connect, type Socket } from 'node:net';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startHttpServer, type HttpServer, type ListenOptions } from './http-server.js';
import { DEFAULT_TIMEOUTS } from '../configuration/request-timeouts.js';

const CHECKS = { windowMs: 40, checkMs: 10 };
const FAST = 1_000_000;
let server: HttpServer | undefined;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close(0);
});

async function startServer(options: Partial<ListenOptions>, handler: RequestListener): Promise<HttpServer> {
  server = await startHttpServer(handler, { host: '127.0.0.1', port: 0, ...options });
  return server;
}

/** Reads the body of a request, as a body parser does, and responds with the size of the body. */
const receiveBody: RequestListener = (request, response) => {
  let size = 0;
  request.on('data', (chunk: Buffer) => (size += chunk.length));
  request.on('end', () => response.end(String(size)));
  request.on('error', () => undefined);
};

/**
 * Sends the beginning of a request.
 *
 * @returns the socket, and a promise of the response, which resolves when the server has closed the connection
 */
function beginRequest(port: number, beginning: string): { readonly socket: Socket; readonly answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.write(beginning);
  return { socket, answer: text(socket) };
}

function parseProblem(answer: string): unknown {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toContain('Content-Type: application/problem+json');
  expect(head).toContain('Connection: close');
  return JSON.parse(body);
}

const HALF_A_BODY = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf';

describe('a client that is too slow receives 408, and its connection is closed', () => {
  it.each(['', 'POST / HTTP/1.1\r\nHost: a\r\nX-Half:'])(
    'a client that has sent only %j at the time limit of the headers receives 408',
    async (sent) => {
      const { port } = await startServer({ timeouts: { ...DEFAULT_TIMEOUTS, headersMs: 20 } }, receiveBody);
      expect(parseProblem(await beginRequest(port, sent).answer)).toMatchObject({
        status: 408,
        code: 'request_timeout',
      });
    },
  );

  it('a client whose body is not complete in time receives 408, even if no minimum rate is set', async () => {
    const { port } = await startServer(
      { timeouts: { headersMs: 20, bodyMs: 20, minBodyBytesPerSecond: 0 } },
      receiveBody,
    );
    expect(parseProblem(await beginRequest(port, HALF_A_BODY).answer)).toMatchObject({
      status: 408,
      code: 'request_timeout',
    });
  });

  it('a client whose body arrives too slowly receives 408', async () => {
    const timeouts = { ...DEFAULT_TIMEOUTS, minBodyBytesPerSecond: FAST };
    const { port } = await startServer({ timeouts, rateChecks: CHECKS }, receiveBody);
    expect(parseProblem(await beginRequest(port, HALF_A_BODY).answer)).toMatchObject({
      status: 408,
      code: 'request_timeout',
    });
  });

  it('a slow client receives no second response if a response has begun', async () => {
    const timeouts = { ...DEFAULT_TIMEOUTS, minBodyBytesPerSecond: FAST };
    const { port } = await startServer({ timeouts, rateChecks: CHECKS }, (request, response) => {
      request.resume().on('error', () => undefined);
      response.write('begun');
    });
    expect(await beginRequest(port, HALF_A_BODY).answer).not.toContain('408');
  });
});

it('a client is not considered slow while the service does not read its body', async () => {
  const timeouts = { ...DEFAULT_TIMEOUTS, minBodyBytesPerSecond: FAST };
  const answered = Promise.withResolvers<undefined>();
  const { port } = await startServer({ timeouts, rateChecks: CHECKS }, (request, response) => {
    // Waits longer than the window in which a body must reach the minimum rate.
    setTimeout(() => {
      receiveBody(request, response);
      answered.resolve(undefined);
    }, 4 * CHECKS.windowMs);
  });
  const { socket, answer } = beginRequest(port, HALF_A_BODY.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  await answered.promise;
  socket.write('x'.repeat(96));
  expect(await answer).toMatch(/200 OK[^]*100/);
});

describe('a request that cannot be read', () => {
  it.each([
    ['NONSENSE\r\n\r\n', 400, 'malformed_request'],
    [`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ])('a request with invalid HTTP or too large headers is refused with a problem', async (sent, status, code) => {
    const { port } = await startServer({}, receiveBody);
    expect(parseProblem(await beginRequest(port, sent).answer)).toMatchObject({ status, code });
  });

  it('a client that disconnects in the middle of its request causes no error', async () => {
    const arrived = Promise.withResolvers<undefined>();
    const { port, url } = await startServer({}, (request, response) => {
      receiveBody(request, response);
      arrived.resolve(undefined);
    });
    const { socket, answer } = beginRequest(port, HALF_A_BODY);
    await arrived.promise;
    socket.resetAndDestroy();
    await expect(answer).rejects.toThrow();
    await nextTurn();
    expect(await (await fetch(url, { method: 'POST', body: 'four' })).text()).toBe('4');
  });
});
