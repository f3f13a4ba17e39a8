import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { COUNTING, adaptLimiter } from './adapt-limiter.js';
import { WINDOW_SECONDS, type RequestCounts } from './request-counts.js';

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
  return adaptLimiter(limiter, async () => {
    redis.disconnect();
    return Promise.resolve();
  });
}
