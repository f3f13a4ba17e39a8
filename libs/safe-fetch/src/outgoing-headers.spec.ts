import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outgoingHeaders } from './outgoing-headers.js';
import { httpServer, tcpServer, type LocalServer } from './testing/local-server.js';
import { TestClients } from './testing/test-clients.js';

describe("a caller's headers", () => {
  it('are sorted by who may see them, in lower case', () => {
    expect(outgoingHeaders({ Accept: 'text/html', COOKIE: 'a=b' }, { 'X-Key': 'k' })).toEqual({
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
  ])('may not hold %s, which is ours to write', (name) => {
    expect(() => outgoingHeaders({ [name]: 'x' })).toThrow(`expected no header '${name.toLowerCase()}'`);
    expect(() => outgoingHeaders({}, { [name]: 'x' })).toThrow(`expected no header '${name.toLowerCase()}'`);
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
  ])('may not be %j: %j, and the value is not repeated', (name, value) => {
    expect(() => outgoingHeaders({ [name]: value })).toThrow(/^expected a name and a value that HTTP allows in header/);
    expect(() => outgoingHeaders({ [name]: value })).not.toThrow(/Injected|snow/);
  });
});

describe('a request', () => {
  let server: LocalServer;
  let clients: TestClients;

  beforeAll(async () => {
    server = await httpServer((request, response) => {
      response.setHeader('set-cookie', ['session=1; Path=/', 'b=2']);
      response.end(JSON.stringify(request.headers));
    });
  });

  beforeEach(() => {
    clients = new TestClients();
    clients.internet.site('shop.example', server.port);
    return () => clients.close();
  });

  afterAll(() => server.close());

  it('carries the user agent, what we can decompress, the caller’s headers, and nothing else', async () => {
    const client = clients.open({ userAgent: 'QuarryTest/1 (+https://quarry.example/bot)' });
    const response = await client.fetch('http://shop.example/', { headers: { Accept: 'text/html' } });
    expect(await response.json()).toEqual({
      host: 'shop.example',
      connection: 'keep-alive',
      accept: 'text/html',
      'user-agent': 'QuarryTest/1 (+https://quarry.example/bot)',
      'accept-encoding': 'gzip, deflate, br, zstd',
    });
  });

  it('brings back no cookie', async () => {
    const client = clients.open();
    const first = await client.fetch('http://shop.example/');
    expect(first.headers.get('set-cookie')).toBe('session=1; Path=/, b=2');
    await first.discard();
    const second = await client.fetch('http://shop.example/');
    expect(await second.json()).not.toHaveProperty('cookie');
  });

  it('goes through no proxy, whatever the environment says', async () => {
    const proxy = await tcpServer((socket) => socket.destroy());
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    process.env['NODE_USE_ENV_PROXY'] = '1';
    try {
      const response = await clients.open().fetch('http://shop.example/');
      expect(response.status).toBe(200);
      expect(proxy.connections()).toBe(0);
    } finally {
      for (const name of [...names, 'NODE_USE_ENV_PROXY']) Reflect.deleteProperty(process.env, name);
      await proxy.close();
    }
  });

  it('is not made by a client without a name', () => {
    expect(() => clients.open({ userAgent: ' ' })).toThrow('userAgent: expected the name of this client, found none');
  });
});
