import { hasRedis, startTestRedis } from '@quarry/queue-bullmq/testing';
import { vi } from 'vitest';
import { openDatabase } from '../database/database.js';
import { openCounts } from '../rate-limit/open-counts.js';
import type { RequestCounts } from '../rate-limit/request-counts.js';
import { copyDatabase } from './copy-database.js';
import { memoryCounts } from './memory-counts.js';

export interface OpenCounts {
  readonly counts: RequestCounts;
  stop(): Promise<void>;
}

/** Each place where requests are counted. */
export const COUNT_STORES: readonly { name: string; missing: boolean; open: () => Promise<OpenCounts> }[] = [
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
