import { hasRedis, startTestRedis } from '@quarry/queue-bullmq/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../database/database.js';
import { newId } from '../database/id.js';
import { copyDatabase } from '../testing/copy-database.js';
import { memoryCounts } from '../testing/memory-counts.js';
import { openCounts } from './open-counts.js';
import type { RequestCounts } from './request-counts.js';

interface OpenCounts {
  readonly counts: RequestCounts;
  stop(): Promise<void>;
}

const STORES: readonly { name: string; missing: boolean; open: () => Promise<OpenCounts> }[] = [
  { name: 'memory', missing: false, open: async () => ({ counts: memoryCounts(), stop: () => Promise.resolve() }) },
  { name: 'PostgreSQL', missing: false, open: openPostgres },
  { name: 'Redis', missing: !hasRedis(), open: openRedis },
];

async function openPostgres(): Promise<OpenCounts> {
  const copy = await copyDatabase();
  const database = openDatabase({ url: copy.url, connections: 10, onConnectionLost: () => undefined });
  const counts = openCounts(copy.url, database);
  return {
    counts,
    stop: async () => {
      await counts.close();
      await database.close();
      await copy.drop();
    },
  };
}

async function openRedis(): Promise<OpenCounts> {
  const redis = await startTestRedis();
  const unused = openDatabase({ url: 'postgres://nowhere', connections: 1, onConnectionLost: () => undefined });
  const counts = openCounts(redis.url, unused);
  // The connection is made in the background; until then counting fails at once.
  await vi.waitFor(async () => counts.add('first', 1), { timeout: 10_000 });
  return {
    counts,
    stop: async () => {
      await counts.close();
      await unused.close();
      await redis.stop();
    },
  };
}

describe.each(STORES.filter(({ missing }) => !missing))('requests counted in $name', ({ open }) => {
  let opened: OpenCounts;
  beforeAll(async () => {
    opened = await open();
  }, 60_000);
  afterAll(async () => opened.stop());

  it('are counted by key, and for a minute', async () => {
    const [one, other] = [newId(), newId()];
    expect(await opened.counts.add(one, 1)).toMatchObject({ requests: 1 });
    expect(await opened.counts.add(other, 7)).toMatchObject({ requests: 7 });
    const { requests, msLeft } = await opened.counts.add(one, 2);
    expect(requests).toBe(3);
    expect(msLeft).toBeGreaterThan(50_000);
    expect(msLeft).toBeLessThanOrEqual(60_000);
  });

  it('are none lost that come at once', async () => {
    const key = newId();
    const counted = await Promise.all(Array.from({ length: 50 }, async () => opened.counts.add(key, 2)));
    expect(counted.map(({ requests }) => requests).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => 2 * (index + 1)),
    );
  });
});

it.skipIf(hasRedis())('requests counted in Redis: skipped, redis-server is not on the PATH', () => undefined);
