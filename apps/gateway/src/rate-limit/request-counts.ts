import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { Redis } from 'ioredis';
import type { OpenDatabase } from '../database/database.js';

/** Counts the requests of each API key to all gateways, in periods of one minute. */
export interface RequestCounts {
  /**
   * Adds a number of requests to the count of a key, and returns the new count. The minute of a key begins with the
   * first request after the end of its previous minute.
   *
   * @throws if the store is unavailable; in this case, the requests may or may not be counted
   */
  add(keyId: string, requests: number): Promise<RequestCount>;
  close(): Promise<void>;
}

export interface RequestCount {
  /** Number of requests in the current minute of the key, including the added requests. */
  readonly requests: number;
  /** Remaining time of the current minute of the key, in milliseconds. */
  readonly msLeft: number;
}

export const WINDOW_SECONDS = 60;

/**
 * Options with which a limiter of rate-limiter-flexible only counts requests and never refuses one. `createRateLimiter`
 * compares the counts with the limit.
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
 * Opens request counts in the table `request_counts`. Rows are deleted an hour after they expire. The caller closes the
 * database.
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
 * Opens request counts in the Redis database of the queues. A lost connection is restored automatically; until then,
 * counting fails immediately.
 */
export function openRedisCounts(url: string): RequestCounts {
  const redis = new Redis(url, {
    connectTimeout: COMMAND_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 200, MAX_RECONNECT_DELAY_MS),
  });
  // This listener ignores connection errors, because each call that fails throws the error.
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
