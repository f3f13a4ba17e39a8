import { hasRedis, startTestRedis } from '@quarry/queue-bullmq/testing';
import { describe, vi } from 'vitest';
import { openDatabase } from '../database/database.js';
import { openRequestCounts, type RequestCounts } from '../rate-limit/request-counts.js';
import { createTestDatabase } from './create-test-database.js';
import { createMemoryCounts } from './memory-counts.js';

export interface OpenCounts {
  readonly counts: RequestCounts;
  stop(): Promise<void>;
}

interface CountStore {
  readonly name: string;
  /** The reason why the store cannot be opened on this machine. Absent: it can be opened. */
  readonly missing?: string;
  readonly open: () => Promise<OpenCounts>;
}

const COUNT_STORES: readonly CountStore[] = [
  { name: 'memory', open: async () => ({ counts: createMemoryCounts(), stop: () => Promise.resolve() }) },
  { name: 'PostgreSQL', open: openPostgresCounts },
  { name: 'Redis', ...(hasRedis() ? {} : { missing: 'no redis-server on PATH' }), open: openRedisCounts },
];

/**
 * Defines the same tests for each store of request counts. If a store cannot be opened, its tests are skipped, and
 * their title contains the reason.
 */
export function describeRequestCountStores(title: string, tests: (open: CountStore['open']) => void): void {
  for (const { name, missing, open } of COUNT_STORES) {
    const reason = missing === undefined ? '' : ` (skipped: ${missing})`;
    describe.skipIf(missing !== undefined)(`${title} ${name}${reason}`, () => {
      tests(open);
    });
  }
}

async function openPostgresCounts(): Promise<OpenCounts> {
  const copy = await createTestDatabase();
  const database = openDatabase({ url: copy.url, connections: 10, onConnectionLost: () => undefined });
  const counts = openRequestCounts(copy.url, database);
  return {
    counts,
    stop: async () => {
      await counts.close();
      await database.close();
      await copy.drop();
    },
  };
}

async function openRedisCounts(): Promise<OpenCounts> {
  const redis = await startTestRedis();
  const unused = openDatabase({ url: 'postgres://nowhere', connections: 1, onConnectionLost: () => undefined });
  const counts = openRequestCounts(redis.url, unused);
  // The connection opens in the background; until then, counting fails.
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
