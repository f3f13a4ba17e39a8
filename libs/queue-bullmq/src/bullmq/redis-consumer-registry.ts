import type { ConsumerRegistry } from './consumer-registry.js';
import type { RedisConnection } from './redis-connection.js';

const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;
const ANNOUNCE_SCRIPT = `${NOW}
redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])`;
const WITHDRAW_SCRIPT = `redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])`;
const CAPACITY_SCRIPT = `${NOW}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('HDEL', KEYS[2], id)
end
local sum = 0
for _, concurrency in ipairs(redis.call('HVALS', KEYS[2])) do sum = sum + concurrency end
return sum`;

/**
 * Creates a registry that stores two Redis keys per queue: one with the expiry times of its consumers, and one with
 * their concurrency.
 */
export function createRedisConsumerRegistry(redis: RedisConnection, prefix: string): ConsumerRegistry {
  const listKeys = (queue: string): readonly [string, string] => [
    `${prefix}:consumers:${queue}:expiry`,
    `${prefix}:consumers:${queue}:concurrency`,
  ];
  return {
    announce: async ({ queue, id, concurrency }, forMs) => {
      await redis.eval(ANNOUNCE_SCRIPT, 2, ...listKeys(queue), Math.ceil(forMs), id, concurrency);
    },
    withdraw: async ({ queue, id }) => {
      await redis.eval(WITHDRAW_SCRIPT, 2, ...listKeys(queue), id);
    },
    getCapacity: async (queue) => Number(await redis.eval(CAPACITY_SCRIPT, 2, ...listKeys(queue))),
  };
}
