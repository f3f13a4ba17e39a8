import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import type { QueueLog } from '@quarry/queue';
import { waitUntilCheckPasses, createRecorder, silentLog, openTestQueue } from '@quarry/queue/testing';
import { openQueues } from './open-queues.js';
import { findFreePort } from './testing/free-port.js';
import { hasRedis, startTestRedis, type TestRedis } from './testing/start-test-redis.js';
import { openTestQueues } from './testing/open-test-queues.js';

const redisIsHere = hasRedis();
const reason = redisIsHere ? '' : ' (skipped: no redis-server on PATH)';
/** Options of a check that waits for a failover, in milliseconds. */
const FAILOVER_TIMEOUT = { timeout: 40_000, interval: 50 };
const toStop: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of toStop.splice(0).reverse()) await stop();
});

async function startServer(...settings: string[]): Promise<TestRedis & { readonly admin: Redis }> {
  const server = await startTestRedis(undefined, settings);
  toStop.push(() => server.stop());
  const admin = new Redis(server.url);
  toStop.push(() => admin.quit());
  return { ...server, admin };
}

/** Opens the queues at an address, adds jobs, and waits until each of these jobs has run. */
async function runJobs(url: string): Promise<void> {
  const queues = await openTestQueues(url);
  toStop.push(() => queues.close(0));
  const queue = openTestQueue(queues);
  const recorded = createRecorder();
  queue.startConsumer(recorded);
  for (const key of ['a', 'b', 'c']) await queue.addNote(key);
  await waitUntilCheckPasses(() => {
    expect(recorded.runs.map(({ key }) => key).sort()).toEqual(['a', 'b', 'c']);
  });
}

describe.skipIf(!redisIsHere)(`queues on several Redis servers${reason}`, () => {
  it('openQueues finds the master through sentinels', async () => {
    const master = await startServer();
    const sentinel = await startSentinel(master.url);
    await runJobs(`redis+sentinel://127.0.0.1:${sentinel}/jobs`);
    expect(await master.admin.keys('quarry:*')).not.toEqual([]);
  });

  it('queues continue on a new master after the old master has failed', async () => {
    const master = await startTestRedis();
    toStop.push(() => master.stop());
    const replica = await startServer('--replicaof', '127.0.0.1', new URL(master.url).port);
    await expect.poll(() => replica.admin.info('replication'), FAILOVER_TIMEOUT).toContain('master_link_status:up');
    const sentinel = await startSentinel(master.url);
    // The server may not be listening yet.
    const sentinelClient = new Redis(sentinel).on('error', () => undefined);
    await expect.poll(() => sentinelClient.call('SENTINEL', 'REPLICAS', 'jobs'), FAILOVER_TIMEOUT).toHaveLength(1);
    sentinelClient.disconnect();

    const queues = await openTestQueues(`redis+sentinel://127.0.0.1:${sentinel}/jobs`);
    toStop.push(() => queues.close(0));
    const queue = openTestQueue(queues);
    const recorded = createRecorder();
    queue.startConsumer(recorded);
    await queue.addNote('before');
    await waitUntilCheckPasses(() => {
      expect(recorded.runs.map(({ key }) => key)).toEqual(['before']);
    });
    await master.stop();
    // The job cannot be added during the failover, so the test repeats the call, as a producer does.
    await expect.poll(() => queue.addNote('after'), FAILOVER_TIMEOUT).toBeTypeOf('string');
    await waitUntilCheckPasses(() => {
      expect(recorded.runs.map(({ key }) => key)).toContain('after');
    });
    expect(await replica.admin.info('replication')).toContain('role:master');
  });

  it('all keys of a queue are on one server of a cluster', async () => {
    const node = await startServer(
      '--cluster-enabled',
      'yes',
      '--cluster-announce-ip',
      '127.0.0.1',
      '--dir',
      await createFolder(),
    );
    await node.admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await expect.poll(() => node.admin.call('CLUSTER', 'INFO'), { timeout: 20_000 }).toContain('cluster_state:ok');
    await runJobs(`redis+cluster://127.0.0.1:${new URL(node.url).port}`);
    expect((await node.admin.keys('*')).every((key) => key.startsWith('{quarry}:'))).toBe(true);
  });
});

describe.skipIf(!redisIsHere)(`the check of the eviction policy${reason}`, () => {
  it.each([
    ['allkeys-lru', 1],
    ['noeviction', 0],
  ])(
    'if the maxmemory-policy of Redis is %s, openQueues logs %i warnings that name the required policy',
    async (policy, count) => {
      const server = await startServer('--maxmemory-policy', policy);
      const warnings: string[] = [];
      const log: QueueLog = { ...silentLog, warn: (_fields, message) => warnings.push(message) };
      const queues = await openQueues({ url: server.url, log });
      await queues.close(0);
      expect(warnings).toHaveLength(count);
      expect(warnings.every((text) => text.includes('set maxmemory-policy noeviction'))).toBe(true);
    },
  );
});

/**
 * Starts a sentinel that declares its master down after a short time, without the votes of other sentinels.
 *
 * @returns the port of the sentinel
 */
async function startSentinel(masterUrl: string): Promise<number> {
  const directory = await createFolder();
  const port = await findFreePort();
  const file = join(directory, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${directory}`,
    `sentinel monitor jobs 127.0.0.1 ${new URL(masterUrl).port} 1`,
    'sentinel down-after-milliseconds jobs 500',
    'sentinel failover-timeout jobs 5000',
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const sentinel = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  toStop.push(async () => {
    const exited = once(sentinel, 'exit');
    sentinel.kill();
    await exited;
  });
  return port;
}

async function createFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-redis-'));
  toStop.push(() => rm(directory, { recursive: true }));
  return directory;
}
