import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { COUNTING, countsOf } from './counts-of.js';
import { WINDOW_SECONDS, type RequestCounts } from './request-counts.js';

const PREFIX = 'quarry:requests';
const COMMAND_TIMEOUT_MS = 2_000;
const LONGEST_RECONNECT_MS = 2_000;

/** Counts in a Redis database, beside the queues. A lost connection comes back by itself; until then counting fails at once. */
export function redisCounts(url: string): RequestCounts {
  const redis = new Redis(url, {
    connectTimeout: COMMAND_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 200, LONGEST_RECONNECT_MS),
  });
  // Each count that fails says so.
  redis.on('error', () => undefined);
  const limiter = new RateLimiterRedis({
    ...COUNTING,
    keyPrefix: PREFIX,
    duration: WINDOW_SECONDS,
    storeClient: redis,
    rejectIfRedisNotReady: true,
  });
  return countsOf(limiter, async () => {
    redis.disconnect();
    return Promise.resolve();
  });
}
