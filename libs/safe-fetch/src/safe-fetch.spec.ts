import { getEventListeners } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitForValue } from './testing/wait-for-value.js';
import { startHttpServer, startTcpServer, type LocalServer } from './testing/local-server.js';
import { TestClients } from './testing/test-clients.js';

vi.setConfig({ testTimeout: 30_000 });

let server: LocalServer;
let clients: TestClients;

const PAGES: Readonly<Record<string, readonly [contentType: string, body: Buffer]>> = {
  '/utf-8': ['text/html; charset=utf-8', Buffer.from('grün')],
  '/latin-1': ['text/html; charset="ISO-8859-1"', Buffer.from('grün', 'latin1')],
  '/none': ['text/html', Buffer.from('grün')],
  '/unknown': ['text/html; charset=klingon', Buffer.from('grün')],
  '/marked': ['text/plain', Buffer.from('\ufeffgrün')],
  '/json': ['application/json', Buffer.from('{"a":[1]}')],
  '/empty': ['text/plain', Buffer.alloc(0)],
  '/packed': ['text/plain', gzipSync(Buffer.alloc(10_000_000, 'a'))],
  '/long': ['text/plain', Buffer.alloc(1_000_000, 'a')],
};

beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    const [contentType, body] = PAGES[request.url ?? ''] ?? ['text/plain', Buffer.from('no such page')];
    if (request.url === '/waiting') return;
    if (request.url === '/packed') response.setHeader('content-encoding', 'gzip');
    response.writeHead(request.url === '/404' ? 404 : 200, { 'content-type': contentType });
    if (request.url === '/endless') response.write('and so on');
    else response.end(body);
  });
});

beforeEach(() => {
  clients = new TestClients();
  clients.internet.routeSite('shop.example', server.port);
  return () => clients.closeClients();
});

afterAll(() => server.close());

describe('reading a response', () => {
  it.each(['/utf-8', '/latin-1', '/none', '/unknown', '/marked'])(
    'text() decodes the body of the page %s, whether or not the response declares a known charset',
    async (path) => {
      const response = await clients.openClient().fetch(`http://shop.example${path}`);
      expect(await response.text()).toBe('grün');
    },
  );

  it('fetch returns a response even if its body is empty or its status reports an error', async () => {
    const client = clients.openClient();
    expect(await (await client.fetch('http://shop.example/empty')).text()).toBe('');
    const missing = await client.fetch('http://shop.example/404');
    expect([missing.status, await missing.text()]).toEqual([404, 'no such page']);
  });

  it('discard() releases the connection of a response for reuse, unless the body is long', async () => {
    const client = clients.openClient();
    for (const path of ['/404', '/empty', '/json']) await (await client.fetch(`http://shop.example${path}`)).discard();
    expect(clients.internet.attempts).toHaveLength(1);
    await (await client.fetch('http://shop.example/long')).discard();
    await (await client.fetch('http://shop.example/json')).discard();
    expect(clients.internet.attempts).toHaveLength(2);
  });

  it('readStart() returns the first bytes of a response, and releases the connection for reuse', async () => {
    const client = clients.openClient();
    const whole = await (await client.fetch('http://shop.example/json')).bytes();
    const start = await (await client.fetch('http://shop.example/json')).readStart(3);
    expect(Buffer.from(start)).toEqual(Buffer.from(whole).subarray(0, 3));
    expect(Buffer.from(await (await client.fetch('http://shop.example/json')).readStart(1_000))).toEqual(
      Buffer.from(whole),
    );
    expect(clients.internet.attempts).toHaveLength(1);
    expect(Buffer.from(await (await client.fetch('http://shop.example/long')).readStart(2))).toHaveLength(2);
  });

  it('the connection of a response is closed if the reader stops early', async () => {
    const response = await clients.openClient().fetch('http://shop.example/endless');
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      expect(chunk.toString()).toBe('and so on');
      break;
    }
    await waitForValue(() => server.countOpenConnections(), 0);
  });
});

describe('a server that violates HTTP', () => {
  it.each([
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.9\r\n', 'bad_response'],
    [
      'an upgrade that was not requested',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      'connection_lost',
    ],
    [
      'two kinds of length',
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'bad_response',
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd', 'bad_response'],
    ['a length that is not a number', 'HTTP/1.1 200 OK\r\nContent-Length: 0x3\r\n\r\nabc', 'bad_response'],
    ['less than its Content-Length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', 'connection_lost'],
    ['chunks without an end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n', 'connection_lost'],
    ['nothing', '', 'connection_lost'],
  ])('a request fails if the server sends %s', async (_what, answer, code) => {
    const odd = await startTcpServer((socket) => {
      socket.once('data', () => socket.end(answer));
    });
    clients.internet.routeSite('odd.example', odd.port);
    const reading = clients
      .openClient()
      .fetch('http://odd.example/')
      .then((response) => response.text());
    await expect(reading).rejects.toMatchObject({ name: 'FetchFailed', code });
    await odd.close();
  });

  it('if a server sends two responses to one request, the next request does not receive the second response', async () => {
    const formatResponse = (body: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    let connections = 0;
    const eager = await startTcpServer((socket) => {
      connections += 1;
      const own = String(connections);
      socket.on('data', () => socket.write(formatResponse(own) + formatResponse('smuggled')));
    });
    clients.internet.routeSite('eager.example', eager.port);
    const client = clients.openClient();
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await (await client.fetch('http://eager.example/')).text()).not.toBe('smuggled');
    }
    await eager.close();
  });
});

describe('a request that its caller aborts', () => {
  it('a request that is aborted before it starts is not sent', async () => {
    const failure = clients.openClient().fetch('http://shop.example/json', { signal: AbortSignal.abort() });
    await expect(failure).rejects.toMatchObject({ name: 'FetchFailed', code: 'aborted' });
    expect(clients.internet.attempts).toEqual([]);
  });

  it('a request that is aborted during the DNS query fails immediately', async () => {
    const controller = new AbortController();
    const client = clients.openClient({
      resolver: () => {
        controller.abort();
        return new Promise(() => undefined);
      },
      limits: { connectMs: 50 },
    });
    await expect(client.fetch('http://shop.example/', { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
  });

  it('a request that is aborted before a response arrives closes its connection, and fails with the abort reason as the cause', async () => {
    const controller = new AbortController();
    const failure = clients.openClient().fetch('http://shop.example/waiting', { signal: controller.signal });
    await waitForValue(() => server.countOpenConnections(), 1);
    controller.abort('changed my mind');
    await expect(failure).rejects.toMatchObject({ code: 'aborted', cause: 'changed my mind' });
    await waitForValue(() => server.countOpenConnections(), 0);
  });

  it('an abort while the body is read makes the reader fail, and closes the connection', async () => {
    const controller = new AbortController();
    const response = await clients.openClient().fetch('http://shop.example/endless', { signal: controller.signal });
    const failure = response.text();
    controller.abort();
    await expect(failure).rejects.toMatchObject({ code: 'aborted' });
    await waitForValue(() => server.countOpenConnections(), 0);
  });

  it('an abort while the body is decompressed makes the reader fail', async () => {
    const controller = new AbortController();
    const response = await clients.openClient().fetch('http://shop.example/packed', { signal: controller.signal });
    const readBody = async (): Promise<void> => {
      for await (const chunk of response.body) if (chunk !== undefined) controller.abort();
    };
    await expect(readBody()).rejects.toMatchObject({ code: 'aborted' });
  });

  it('an abort after the end of a request does not affect the response and leaves no listeners', async () => {
    const controller = new AbortController();
    const response = await clients.openClient().fetch('http://shop.example/json', { signal: controller.signal });
    expect(await response.text()).toBe('{"a":[1]}');
    await waitForValue(() => getEventListeners(controller.signal, 'abort').length, 0);
    controller.abort();
    expect(response.body.errored).toBeNull();
  });
});

describe('a closed client', () => {
  it('closing a client closes all connections, and makes active and later requests fail', async () => {
    const client = clients.openClient();
    const waiting = client.fetch('http://shop.example/waiting').catch((error: unknown) => error);
    const response = await client.fetch('http://shop.example/endless');
    const reading = response.text().catch((error: unknown) => error);
    await client.close();
    const later = client.fetch('http://shop.example/json').catch((error: unknown) => error);
    for (const failure of [waiting, reading, later]) {
      expect(await failure).toMatchObject({ name: 'FetchFailed', code: 'aborted', message: 'the client was closed' });
    }
    await waitForValue(() => server.countOpenConnections(), 0);
  });

  it('closing a client makes a request fail even while the host name of the request is being resolved', async () => {
    const client = clients.openClient({ resolver: () => new Promise(() => undefined) });
    const failure = client.fetch('http://shop.example/').catch((error: unknown) => error);
    await client.close();
    expect(await failure).toMatchObject({ code: 'aborted' });
  });

  it('a client can be closed repeatedly', async () => {
    const client = clients.openClient();
    await client.close();
    await expect(client.close()).resolves.toBeUndefined();
  });
});

describe('the path of a request', () => {
  it.each(['//127.0.0.1/', '/http://127.0.0.1/', '/\\\\127.0.0.1/', '/@127.0.0.1', '/?http://127.0.0.1/'])(
    'a request for the path %j goes to the host of the URL, although the path contains another address',
    async (path) => {
      const response = await clients.openClient().fetch(`http://shop.example${path}`);
      expect([response.remoteAddress, await response.text()]).toEqual(['93.184.216.1', 'no such page']);
    },
  );
});

describe('requireAllowedUrl', () => {
  it('requireAllowedUrl rejects a private address without a DNS query', () => {
    const client = clients.openClient();
    expect(() => {
      client.requireAllowedUrl('https://shop.example/hook');
    }).not.toThrow();
    expect(() => {
      client.requireAllowedUrl('http://192.168.0.1/hook');
    }).toThrow('expected a public address, found 192.168.0.1, an address of a private network');
    expect(clients.internet.lookUps).toEqual([]);
  });
});

describe('many concurrent requests', () => {
  it('each of many concurrent requests to many hosts receives the response to that request', async () => {
    const echo = await startHttpServer((request, response) =>
      response.end(`${request.headers.host ?? ''}${request.url ?? ''}`),
    );
    const names = Array.from({ length: 20 }, (_, site) => `site-${site}.example`);
    for (const name of names) clients.internet.routeSite(name, echo.port);
    const client = clients.openClient();
    const wanted = Array.from({ length: 400 }, (_, page) => `${names[page % names.length] ?? ''}/${page}`);
    const answers = await Promise.all(wanted.map(async (page) => (await client.fetch(`http://${page}`)).text()));
    expect(answers).toEqual(wanted);
    await client.close();
    await echo.close();
  });
});

describe('a body without a reader', () => {
  it('a failed body without a reader does not end the process', async () => {
    const response = await clients.openClient({ limits: { idleMs: 20 } }).fetch('http://shop.example/endless');
    await waitForValue(() => response.body.closed, true);
    expect(response.body.errored).toMatchObject({ code: 'timeout' });
  });
});
