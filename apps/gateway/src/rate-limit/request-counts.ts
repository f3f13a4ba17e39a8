import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { Redis } from 'ioredis';
import type { OpenDatabase } from '../database/database.js';

/** Counts the requests of each API key in the current minute of the key, across all gateways. */
export interface RequestCounts {
  /**
   * Adds a number of requests to the count of a key, and returns the new count. A minute begins with the first request
   * after the end of the previous minute.
   *
   * @throws if the store is unavailable; in this case, the requests may or may not be counted
   */
  add(keyId: string, requests: number): Promise<RequestCount>;
  close(): Promise<void>;
}

export interface RequestCount {
  /** Requests in the current minute, including the added requests. */
  readonly requests: number;
  /** Remaining time of the minute, in milliseconds. */
  readonly msLeft: number;
}

export const WINDOW_SECONDS = 60;

/**
 * Options of a limiter that counts requests and never refuses a request. The gateway compares the counts with the
 * limit.
 */
export const COUNTING = { points: Number.MAX_SAFE_INTEGER, keyPrefix: 'requests' } as const;

/** Adapts a limiter of the library rate-limiter-flexible to `RequestCounts`. */
export function createRequestCounts(limiter: RateLimiterAbstract, close: () => Promise<void>): RequestCounts {
  return {
    add: async (keyId, requests) => {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(keyId, requests);
      return { requests: consumedPoints, msLeft: msBeforeNext };
    },
    close,
  };
}

/**
 * Opens request counts in the table `request_counts`. Rows are deleted an hour after they expire. The caller closes the database.
 */
export function openPostgresCounts({ pool }: Pick<OpenDatabase, 'pool'>): RequestCounts {
  const limiter = new RateLimiterPostgres({
    ...COUNTING,
    duration: WINDOW_SECONDS,
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'quarry',
    tableName: 'request_counts',
    tableCreated: true,
  });
  return createRequestCounts(limiter, () => Promise.resolve());
}

const PREFIX = 'quarry:requests';
const COMMAND_TIMEOUT_MS = 2_000;
const MAX_RECONNECT_DELAY_MS = 2_000;

/**
 * Opens request counts in the Redis database of the queues. A lost connection is restored automatically; until then, counting fails
 * immediately.
 */
export function openRedisCounts(url: string): RequestCounts {
  const redis = new Redis(url, {
    connectTimeout: COMMAND_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 200, MAX_RECONNECT_DELAY_MS),
  });
  // Each failed count reports the error.
  redis.on('error', () => undefined);
  const limiter = new RateLimiterRedis({
    ...COUNTING,
    keyPrefix: PREFIX,
    duration: WINDOW_SECONDS,
    storeClient: redis,
    rejectIfRedisNotReady: true,
  });
  return createRequestCounts(limiter, async () => {
    redis.disconnect();
    return Promise.resolve();
  });
}

/** Opens the request counts in Redis if the queues use Redis, otherwise in the database. */
export function openRequestCounts(queueUrl: string, database: Pick<OpenDatabase, 'pool'>): RequestCounts {
  return /^rediss?:/.test(queueUrl) ? openRedisCounts(queueUrl) : openPostgresCounts(database);
}
