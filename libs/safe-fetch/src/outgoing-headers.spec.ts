import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildOutgoingHeaders } from './outgoing-headers.js';
import { startHttpServer, startTcpServer, type LocalServer } from './testing/local-server.js';
import { TestClients } from './testing/test-clients.js';

describe('outgoing headers', () => {
  it('buildOutgoingHeaders returns names in lower case, and treats a cookie as secret even if the caller does not', () => {
    expect(buildOutgoingHeaders({ Accept: 'text/html', COOKIE: 'a=b' }, { 'X-Key': 'k' })).toEqual({
      open: { accept: 'text/html' },
      secret: { cookie: 'a=b', 'x-key': 'k' },
    });
  });

  it.each([
    'Host',
    'connection',
    'Content-Length',
    'Transfer-Encoding',
    'User-Agent',
    'Accept-Encoding',
    'Upgrade',
    'TE',
    'Expect',
  ])('buildOutgoingHeaders rejects %s, because the client sets this header itself', (name) => {
    expect(() => buildOutgoingHeaders({ [name]: 'x' })).toThrow(`expected no header '${name.toLowerCase()}'`);
    expect(() => buildOutgoingHeaders({}, { [name]: 'x' })).toThrow(`expected no header '${name.toLowerCase()}'`);
  });

  it.each([
    ['X-A', 'a\r\nX-Injected: 1'],
    ['X-A', 'a\nb'],
    ['X-A', 'a\0b'],
    ['X-A', 'snow ☃'],
    ['X A', 'a'],
    ['X-A\r\nX-B', 'a'],
    ['', 'a'],
    ['X-A:', 'a'],
  ])('buildOutgoingHeaders rejects the invalid header %j: %j, and omits the value from the message', (name, value) => {
    expect(() => buildOutgoingHeaders({ [name]: value })).toThrow(
      /^expected a name and a value that HTTP allows in header/,
    );
    expect(() => buildOutgoingHeaders({ [name]: value })).not.toThrow(/Injected|snow/);
  });
});

describe('a request', () => {
  let server: LocalServer;
  let clients: TestClients;

  beforeAll(async () => {
    server = await startHttpServer((request, response) => {
      response.setHeader('set-cookie', ['session=1; Path=/', 'b=2']);
      response.end(JSON.stringify(request.headers));
    });
  });

  beforeEach(() => {
    clients = new TestClients();
    clients.internet.routeSite('shop.example', server.port);
    return () => clients.closeClients();
  });

  afterAll(() => server.close());

  it('a request contains only the headers of the caller, Host, Connection, User-Agent and Accept-Encoding', async () => {
    const client = clients.openClient({ userAgent: 'QuarryTest/1 (+https://quarry.example/bot)' });
    const response = await client.fetch('http://shop.example/', { headers: { Accept: 'text/html' } });
    expect(JSON.parse(await response.text())).toEqual({
      host: 'shop.example',
      connection: 'keep-alive',
      accept: 'text/html',
      'user-agent': 'QuarryTest/1 (+https://quarry.example/bot)',
      'accept-encoding': 'gzip, deflate, br, zstd',
    });
  });

  it('a request sends no cookies that an earlier response has set', async () => {
    const client = clients.openClient();
    const first = await client.fetch('http://shop.example/');
    expect(first.headers.get('set-cookie')).toBe('session=1; Path=/, b=2');
    await first.discard();
    const second = await client.fetch('http://shop.example/');
    expect(JSON.parse(await second.text())).not.toHaveProperty('cookie');
  });

  it('a request ignores the proxy settings of the environment', async () => {
    const proxy = await startTcpServer((socket) => socket.destroy());
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    process.env['NODE_USE_ENV_PROXY'] = '1';
    try {
      const response = await clients.openClient().fetch('http://shop.example/');
      expect(response.status).toBe(200);
      expect(proxy.countConnections()).toBe(0);
    } finally {
      for (const name of [...names, 'NODE_USE_ENV_PROXY']) Reflect.deleteProperty(process.env, name);
      await proxy.close();
    }
  });

  it('createSafeFetch rejects an empty user agent', () => {
    expect(() => clients.openClient({ userAgent: ' ' })).toThrow(
      'userAgent: expected the name of this client, found none',
    );
  });
});
