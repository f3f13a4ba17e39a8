import { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitForValue } from './testing/wait-for-value.js';
import type { FetchOptions } from './safe-fetch.js';
import { startHttpServer, startTcpServer, type LocalServer } from './testing/local-server.js';
import { TestClients } from './testing/test-clients.js';

vi.setConfig({ testTimeout: 30_000 });

const MEGABYTE = 1024 * 1024;

const CODECS = {
  gzip: (data: Buffer) => zlib.gzipSync(data),
  deflate: (data: Buffer) => zlib.deflateSync(data),
  br: (data: Buffer) => zlib.brotliCompressSync(data),
  zstd: (data: Buffer) => zlib.zstdCompressSync(data),
};

const MEMBER = CODECS.gzip(Buffer.alloc(MEGABYTE));

/**
 * Creates a gzip file of one megabyte that expands to a gigabyte of zeros, in 1,024 gzip members (RFC 1952 section
 * 2.2).
 */
const createGigabyteBomb = (): Readable => Readable.from(Array<Buffer>(1024).fill(MEMBER));

let server: LocalServer;
let clients: TestClients;

beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const [, kind = '', bytes = '0'] = pathname.split('/');
    const encoding = searchParams.get('encoding');
    if (encoding !== null) response.setHeader('content-encoding', encoding);
    if (kind === 'plain' || kind === 'announced') response.setHeader('content-length', bytes);
    if (kind === 'announced') response.write('a');
    else if (kind === 'plain') response.end(Buffer.alloc(Number(bytes), 'a'));
    else if (kind === 'chunked') Readable.from([Buffer.alloc(Number(bytes), 'a')]).pipe(response);
    else if (kind === 'bomb') createGigabyteBomb().pipe(response);
    else if (kind === 'headers') response.setHeader('x-big', 'a'.repeat(Number(bytes))).end();
    else if (encoding !== null && encoding in CODECS) {
      response.end(CODECS[encoding as keyof typeof CODECS](Buffer.alloc(Number(bytes), 'a')));
    }
  });
});

beforeEach(() => {
  clients = new TestClients();
  clients.internet.routeSite('big.example', server.port);
  return () => clients.closeClients();
});

afterAll(() => server.close());

const fetchBytes = async (path: string, limits: FetchOptions['limits'] = {}): Promise<number> => {
  const response = await clients.openClient().fetch(`http://big.example${path}`, { limits });
  return (await response.bytes()).length;
};

const createTooLargeMatcher = (message: string): object => ({ name: 'FetchRefused', code: 'too_large', message });

describe('the size limit of a body', () => {
  it.each(['/plain/1000', '/chunked/1000'])(
    'the body of %s is accepted if its size equals the limit, and rejected if it is one byte larger',
    async (path) => {
      expect(await fetchBytes(path, { bodyBytes: 1000 })).toBe(1000);
      expect(await fetchBytes(path, { wireBytes: 1000 })).toBe(1000);
      await expect(fetchBytes(path, { bodyBytes: 999 })).rejects.toMatchObject(
        createTooLargeMatcher('expected a decompressed body of at most 999 bytes, found more'),
      );
      await expect(fetchBytes(path, { wireBytes: 999 })).rejects.toMatchObject(
        createTooLargeMatcher('expected a body of at most 999 bytes, found more'),
      );
    },
  );

  it('a body whose declared length exceeds the limit is rejected before it is read, and the connection is closed', async () => {
    const client = clients.openClient({ limits: { wireBytes: 999 } });
    await expect(client.fetch('http://big.example/announced/1000')).rejects.toMatchObject({ code: 'too_large' });
    await waitForValue(() => server.countOpenConnections(), 0);
  });

  it('the response to a HEAD request is accepted even if the declared length exceeds the limit', async () => {
    const client = clients.openClient({ limits: { wireBytes: 999 } });
    const response = await client.fetch('http://big.example/plain/1000', { method: 'HEAD' });
    expect(response.headers.get('content-length')).toBe('1000');
    expect(await response.bytes()).toHaveLength(0);
  });

  it.each(Object.keys(CODECS))(
    'a body in the encoding %s is rejected if its decompressed or its transferred size exceeds a limit',
    async (encoding) => {
      const path = `/packed/100000?encoding=${encoding}`;
      expect(await fetchBytes(path, { wireBytes: 1000, bodyBytes: 100_000 })).toBe(100_000);
      await expect(fetchBytes(path, { bodyBytes: 99_999 })).rejects.toMatchObject(
        createTooLargeMatcher('expected a decompressed body of at most 99999 bytes, found more'),
      );
      await expect(fetchBytes(path, { wireBytes: 10 })).rejects.toMatchObject(
        createTooLargeMatcher('expected a body of at most 10 bytes, found more'),
      );
    },
  );
});

/**
 * Returns the maximum growth of memory during `work`, in bytes. `work` calls `samplePeak` to measure the memory at a
 * certain point, in addition to the measurements of a timer.
 */
async function measurePeakGrowth(work: (samplePeak: () => void) => Promise<void>): Promise<number> {
  const start = process.memoryUsage.rss();
  let peak = start;
  const samplePeak = (): void => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const watch = setInterval(samplePeak, 1);
  try {
    await work(samplePeak);
  } finally {
    clearInterval(watch);
  }
  samplePeak();
  return peak - start;
}

describe('a gzip bomb of one gigabyte', () => {
  it('a gzip bomb is rejected at the size limit, and memory stays constant until then', async () => {
    const growth = await measurePeakGrowth(async () => {
      await expect(fetchBytes('/bomb?encoding=gzip', { bodyBytes: 10 * MEGABYTE })).rejects.toMatchObject({
        code: 'too_large',
      });
    });
    expect(growth).toBeLessThan(150 * MEGABYTE);
  }, 60_000);

  it('a gzip bomb below the size limit is read in constant memory if the caller reads it in chunks', async () => {
    let total = 0;
    const growth = await measurePeakGrowth(async (samplePeak) => {
      const limits = { bodyBytes: 2048 * MEGABYTE };
      const response = await clients.openClient().fetch('http://big.example/bomb?encoding=gzip', { limits });
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        total += chunk.length;
        if (total % (16 * MEGABYTE) === 0) samplePeak();
      }
    });
    expect(total).toBe(1024 * MEGABYTE);
    expect(growth).toBeLessThan(150 * MEGABYTE);
  }, 60_000);

  it('a gzip bomb that is compressed twice is rejected at the size limit of the decompressed body', async () => {
    const twice = await startHttpServer((_request, response) => {
      response.setHeader('content-encoding', 'gzip, gzip');
      createGigabyteBomb().pipe(zlib.createGzip()).pipe(response);
    });
    clients.internet.routeSite('twice.example', twice.port);
    const response = await clients.openClient().fetch('http://twice.example/', { limits: { bodyBytes: MEGABYTE } });
    await expect(response.bytes()).rejects.toMatchObject({ code: 'too_large' });
    await twice.close();
  }, 60_000);
});

describe('response headers', () => {
  it('response headers are accepted below the size limit, and rejected above the limit', async () => {
    const client = clients.openClient();
    expect((await client.fetch('http://big.example/headers/32000')).headers.get('x-big')).toHaveLength(32_000);
    await expect(client.fetch('http://big.example/headers/32768')).rejects.toMatchObject(
      createTooLargeMatcher('expected response headers of at most 32768 bytes, found more'),
    );
  });

  it('endless response headers are rejected', async () => {
    const endless = await startTcpServer((socket) => {
      socket.once('data', () => {
        const more = Readable.from(
          (function* () {
            yield 'HTTP/1.1 200 OK\r\n';
            for (;;) yield 'X-More: and more\r\n';
          })(),
        );
        more.on('error', () => undefined);
        socket.once('close', () => more.destroy());
        more.pipe(socket);
      });
    });
    clients.internet.routeSite('endless.example', endless.port);
    await expect(clients.openClient().fetch('http://endless.example/')).rejects.toMatchObject({ code: 'too_large' });
    await waitForValue(() => endless.countOpenConnections(), 0);
    await endless.close();
  });
});
