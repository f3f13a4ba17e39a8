import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitForValue } from './testing/wait-for-value.js';
import { DEFAULT_LIMITS, mergeAndValidateLimits, type Limits } from './fetch-limits.js';
import { startTcpServer, type LocalServer } from './testing/local-server.js';
import { TestClients } from './testing/test-clients.js';

vi.setConfig({ testTimeout: 30_000 });

const LARGE = 10_000_000;
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';

/** Maps each path to the text with which its response begins, and to the text that the server then sends repeatedly. */
const SLOW: Readonly<Record<string, readonly [string, string]>> = {
  '/silent': ['', ''],
  '/dripping-headers': [HEAD, 'X'],
  '/early-hints': ['', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  '/stopping-body': [`${HEAD}Content-Length: 100\r\n\r\nsome`, ''],
  '/dripping-body': [`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'],
  '/dripping-extension': [`${HEAD}Transfer-Encoding: chunked\r\n\r\n1;`, 'a'],
  '/dripping-trailer': [`${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'X'],
  '/large': [`${HEAD}Content-Length: ${LARGE}\r\n\r\n${'a'.repeat(LARGE)}`, ''],
  '/redirect-to-private': [
    'HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nTransfer-Encoding: chunked\r\n\r\n',
    '1\r\na\r\n',
  ],
  '/redirect-with-dripping-body': [
    'HTTP/1.1 302 Found\r\nLocation: /silent\r\nTransfer-Encoding: chunked\r\n\r\n',
    '1\r\na\r\n',
  ],
};

let server: LocalServer;
let clients: TestClients;

beforeAll(async () => {
  server = await startTcpServer((socket) => {
    socket.once('data', (request: Buffer) => {
      const [first, again] = SLOW[request.toString().split(' ')[1] ?? ''] ?? ['', ''];
      socket.write(first);
      const drip = setInterval(() => again !== '' && socket.write(again), 5);
      socket.once('close', () => {
        clearInterval(drip);
      });
    });
  });
});

beforeEach(() => {
  clients = new TestClients();
  clients.internet.routeSite('slow.example', server.port);
  return () => clients.closeClients();
});

afterAll(() => server.close());

const fetchResultOrError = async (path: string, limits: Partial<Limits>): Promise<unknown> => {
  try {
    const response = await clients.openClient({ limits }).fetch(`http://slow.example${path}`);
    return await response.text();
  } catch (error) {
    return error;
  }
};

describe('a slow server', () => {
  it.each([
    ['/silent', { headersMs: 50 }, 'expected all response headers within 50 ms, found incomplete headers'],
    ['/dripping-headers', { headersMs: 50 }, 'expected all response headers within 50 ms, found incomplete headers'],
    ['/early-hints', { totalMs: 100 }, 'expected the complete response within 100 ms, found it incomplete'],
    ['/stopping-body', { idleMs: 50 }, 'expected the body to continue within 50 ms, found that it stopped'],
    ['/dripping-body', { totalMs: 100 }, 'expected the complete response within 100 ms, found it incomplete'],
    [
      '/dripping-body',
      { minBytesPerSecond: 100_000, rateWindowMs: 50 },
      'expected a body of at least 100000 bytes per second, found a slower one',
    ],
    ['/dripping-extension', { idleMs: 50 }, 'expected the body to continue within 50 ms, found that it stopped'],
    ['/dripping-trailer', { idleMs: 50 }, 'expected the body to continue within 50 ms, found that it stopped'],
    [
      '/redirect-with-dripping-body',
      { totalMs: 100 },
      'expected the complete response within 100 ms, found it incomplete',
    ],
  ])(
    'reading the slow response %s with the limits %j fails, and closes the connection',
    async (path, limits, message) => {
      expect(await fetchResultOrError(path, limits)).toMatchObject({
        name: 'FetchFailed',
        code: 'timeout',
        message: expect.stringContaining(message) as string,
      });
      await waitForValue(() => server.countOpenConnections(), 0);
    },
  );

  it('a slow response without a reader is aborted at its time limit, without an unhandled error', async () => {
    const response = await clients.openClient({ limits: { totalMs: 500 } }).fetch('http://slow.example/dripping-body');
    await waitForValue(() => server.countOpenConnections(), 0);
    await expect(response.text()).rejects.toMatchObject({ code: 'timeout' });
  });

  it('the connection of a rejected redirect is closed', async () => {
    await expect(clients.openClient().fetch('http://slow.example/redirect-to-private')).rejects.toMatchObject({
      code: 'address_not_public',
    });
    await waitForValue(() => server.countOpenConnections(), 0);
  });

  it('a response does not time out if the caller reads the body slowly', async () => {
    const client = clients.openClient({ limits: { idleMs: 20 } });
    const large = await client.fetch('http://slow.example/large');
    // The second response starts later. Its timeout shows that the idle time has passed while the large body is not
    // read.
    const stopping = await client.fetch('http://slow.example/stopping-body');
    await expect(stopping.text()).rejects.toMatchObject({ code: 'timeout' });
    expect(await large.bytes()).toHaveLength(LARGE);
  });

  it('a time limit of a request replaces the time limit of the client', async () => {
    const client = clients.openClient({ limits: { headersMs: 60_000 } });
    await expect(client.fetch('http://slow.example/silent', { limits: { headersMs: 20 } })).rejects.toMatchObject({
      code: 'timeout',
    });
  });
});

describe('time limits', () => {
  it('mergeAndValidateLimits keeps the base limits that are not changed', () => {
    expect(mergeAndValidateLimits(DEFAULT_LIMITS, { totalMs: 5 })).toEqual({ ...DEFAULT_LIMITS, totalMs: 5 });
    expect(mergeAndValidateLimits(DEFAULT_LIMITS, { redirects: 0 }).redirects).toBe(0);
  });

  it.each([
    { totalMs: 0 },
    { bodyBytes: -1 },
    { idleMs: 1.5 },
    { wireBytes: Infinity },
    { headerBytes: NaN },
    { redirects: -1 },
  ])('the limits %j are rejected, because no limit can be disabled', async (limits) => {
    const [name] = Object.keys(limits);
    expect(() => clients.openClient({ limits })).toThrow(
      new RegExp(`^limits.${name}: expected a whole number of at least`),
    );
    await expect(clients.openClient().fetch('http://slow.example/', { limits })).rejects.toThrow(RangeError);
  });
});
