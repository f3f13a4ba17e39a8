import type { Pacing } from '@quarry/queue';
import type { RedisConnection } from './redis-connection.js';

const ACQUIRE_SCRIPT = `
local left = redis.call('PTTL', KEYS[1])
if left >= 0 then return math.max(left, 1) end
if tonumber(ARGV[1]) > 0 then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end
return 0`;
// This script replaces the option `GT` of `PEXPIRE`, which Redis 6 lacks.
const BLOCK_SCRIPT = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end`;

/**
 * Creates a `Pacing` that stores one Redis key for each paced key. The Redis key expires when the next turn may start.
 */
export function createRedisPacing(redis: RedisConnection, prefix: string): Pacing {
  const getRedisKey = (key: string): string => `${prefix}:pacing:${key}`;
  return {
    acquireTurn: async (key, gapMs) => Number(await redis.eval(ACQUIRE_SCRIPT, 1, getRedisKey(key), Math.ceil(gapMs))),
    blockKey: async (key, ms) => {
      if (ms > 0) await redis.eval(BLOCK_SCRIPT, 1, getRedisKey(key), Math.ceil(ms));
    },
  };
}
