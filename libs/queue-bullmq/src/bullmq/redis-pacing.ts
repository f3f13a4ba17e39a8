import type { Pacing } from '@quarry/queue';
import type { RedisConnection } from './redis-connection.js';

const TAKE_SCRIPT = `
local left = redis.call('PTTL', KEYS[1])
if left >= 0 then return math.max(left, 1) end
if tonumber(ARGV[1]) > 0 then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end
return 0`;
// `PEXPIRE` has the option `GT` only since Redis 7.
const HOLD_SCRIPT = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end`;

/** Implements pacing with one Redis key per paced key. The Redis key exists as long as no turn may start. */
export function createRedisPacing(redis: RedisConnection, prefix: string): Pacing {
  const getRedisKey = (key: string): string => `${prefix}:pacing:${key}`;
  return {
    take: async (key, gapMs) => Number(await redis.eval(TAKE_SCRIPT, 1, getRedisKey(key), Math.ceil(gapMs))),
    hold: async (key, ms) => {
      if (ms > 0) await redis.eval(HOLD_SCRIPT, 1, getRedisKey(key), Math.ceil(ms));
    },
  };
}
