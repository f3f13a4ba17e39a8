import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestPostgres, type TestPostgres } from '@quarry/embedded-postgres/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  describeQueues,
  waitUntilCheckPasses,
  createRecorder,
  type QueueServerUnderTest,
  silentLog,
  openTestQueue,
} from '@quarry/queue/testing';
import { openQueues } from './open-queues.js';
import { findFreePort } from './testing/free-port.js';
import { hasRedis, startTestRedis } from './testing/start-test-redis.js';
import { openTestQueues } from './testing/open-test-queues.js';

function createServerUnderTest(url: string): Pick<QueueServerUnderTest, 'open' | 'consumerProgram'> {
  const file = join(import.meta.dirname, 'testing/consumer-program.ts');
  return { open: (maxStalls) => openTestQueues(url, maxStalls), consumerProgram: { file, args: [url] } };
}

describeQueues('PostgreSQL', async () => {
  const postgres = await startTestPostgres();
  return {
    ...createServerUnderTest(postgres.url),
    cutConnections: () =>
      runSql(postgres.url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()'),
    close: () => postgres.stop(),
  };
});

const redisIsHere = hasRedis();
describe.skipIf(!redisIsHere)(redisIsHere ? 'with Redis' : 'with Redis (skipped: no redis-server on PATH)', () => {
  describeQueues('Redis', async () => {
    const server = await startTestRedis();
    return {
      ...createServerUnderTest(server.url),
      async cutConnections() {
        const redis = new Redis(server.url);
        await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        redis.disconnect();
      },
      close: () => server.stop(),
    };
  });

  it('if the server is not running yet, openQueues waits until the server has started', async () => {
    const port = await findFreePort();
    const opening = openTestQueues(`redis://127.0.0.1:${port}`);
    const server = await startTestRedis(port);
    const queues = await opening;
    await expect(queues.ping()).resolves.toBeUndefined();
    await queues.close(0);
    await server.stop();
  });
});

describe.skipIf(!redisIsHere)(
  redisIsHere
    ? 'opening queues that may start without Redis'
    : 'opening queues that may start without Redis (skipped: no redis-server on PATH)',
  () => {
    const settings = { log: silentLog, startTimeoutMs: 500, canStartWithout: true };

    it('with `canStartWithout`, openQueues resolves although the server is unavailable, and jobs run once the server is available', async () => {
      const port = await findFreePort();
      const queues = await openQueues({ ...settings, url: `redis://127.0.0.1:${port}` });
      await expect(queues.ping()).rejects.toThrow();
      const ran = Promise.withResolvers<string>();
      const tried = openTestQueue(queues);
      const resolveWithKey = (payload: { readonly key: string }): Promise<void> => {
        ran.resolve(payload.key);
        return Promise.resolve();
      };
      queues.startConsumer(tried.contract, { note: resolveWithKey, memo: resolveWithKey }, { concurrency: 1 });
      const server = await startTestRedis(port);
      await expect
        .poll(
          () =>
            queues.ping().then(
              () => true,
              () => false,
            ),
          { timeout: 20_000 },
        )
        .toBe(true);
      await tried.addNote('a');
      expect(await ran.promise).toBe('a');
      await queues.close(0);
      await server.stop();
    });

    it('openQueues fails even with `canStartWithout` if the server rejects the password', async () => {
      const server = await startTestRedis(undefined, ['--requirepass', 'secret']);
      const url = server.url.replace('//', '//:other@');
      await expect(openQueues({ ...settings, url })).rejects.toThrow(/WRONGPASS/);
      await server.stop();
    });
  },
);

describe('opening queues', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startTestPostgres();
  });
  afterAll(async () => {
    await postgres.stop();
  });

  it('if several calls of openQueues open the same empty database at the same time, all of them can add jobs', async () => {
    const url = await postgres.createDatabase();
    const all = await Promise.all(Array.from({ length: 4 }, () => openTestQueues(url)));
    for (const queues of all) {
      const queue = openTestQueue(queues);
      await queue.addNote('a');
      expect((await queue.countJobs()).waiting).toBe(1);
    }
    await Promise.all(all.map((queues) => queues.close(0)));
  });

  it('a consumer that was opened while the database refused connections runs jobs as soon as the database accepts connections', async () => {
    const url = await postgres.createDatabase();
    const queues = await openTestQueues(url);
    await setConnectionsAllowed(postgres.url, url, false);
    const recorded = createRecorder();
    const queue = openTestQueue(queues);
    queue.startConsumer(recorded);
    await expect(queue.addNote('a')).rejects.toThrow(/not currently accepting connections/);
    await setConnectionsAllowed(postgres.url, url, true);
    await queue.addNote('b');
    await waitUntilCheckPasses(() => {
      expect(recorded.runs.map(({ key }) => key)).toEqual(['b']);
    });
    await queues.close(0);
  });

  it.each(['redis', 'postgres'])(
    'if no %s server listens at the address, the error of openQueues contains the address without the password',
    async (kind) => {
      const url = `${kind}://user:secret@127.0.0.1:${await findFreePort()}/0`;
      const opening = openQueues({ url, log: silentLog, startTimeoutMs: 1_000 });
      await expect(opening).rejects.toThrow(/127\.0\.0\.1:\d+\/0 did not respond within 1000 ms: .*ECONNREFUSED/);
      await expect(opening).rejects.not.toThrow(/secret/);
    },
  );

  describe('if a server accepts connections but never responds', () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
    let port: number;
    beforeAll(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      ({ port } = server.address() as AddressInfo); // a TCP server's address is always of this form
    });
    afterAll(async () => {
      for (const socket of sockets) socket.destroy();
      await promisify(server.close.bind(server))();
    });

    it.each([
      ['Redis', 'redis', /did not respond within 500 ms: ETIMEDOUT: the server sent no response/],
      ['Redis Sentinel', 'redis+sentinel', /did not respond within 500 ms: ETIMEDOUT: the server sent no response/],
      ['Redis Cluster', 'redis+cluster', /did not respond within 500 ms: /],
    ])(
      'if a %s server accepts connections but never responds, openQueues fails after `startTimeoutMs`',
      async (_, protocol, message) => {
        const url = `${protocol}://127.0.0.1:${port}/0`;
        await expect(openQueues({ url, log: silentLog, startTimeoutMs: 500 })).rejects.toThrow(message);
      },
    );

    it('with `canStartWithout`, openQueues resolves after `startTimeoutMs` if a server never responds, and logs the reason', async () => {
      const warnings: unknown[] = [];
      const log = { ...silentLog, warn: (fields: object, message: string) => warnings.push([message, fields]) };
      const url = `redis://127.0.0.1:${port}`;
      const queues = await openQueues({ url, log, startTimeoutMs: 500, canStartWithout: true });
      const reason = expect.stringMatching(/ETIMEDOUT/) as unknown;
      const warning = ['starting without the queue server, which is unavailable', { address: url, reason }];
      expect(warnings).toEqual([warning]);
      for (const socket of sockets) socket.destroy();
      await queues.close(0);
    });
  });

  it.each(['', 'nonsense', 'mysql://127.0.0.1/x'])('openQueues rejects the address "%s"', async (url) => {
    await expect(openQueues({ url, log: silentLog })).rejects.toThrow(/to start with redis/);
  });
});

/**
 * Allows or forbids connections to a database. If `allowed` is false, also closes the current connections to it.
 *
 * @param server the address of another database of the same server, from which the statements are sent
 * @param url the address of the database
 */
async function setConnectionsAllowed(server: string, url: string, allowed: boolean): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await runSql(server, `ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${String(allowed)}`);
  if (!allowed)
    await runSql(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
}

async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}
