import type { Pacing } from '@quarry/queue';
import type { RedisConnection } from './redis-connection.js';

const TAKE = `
local left = redis.call('PTTL', KEYS[1])
if left >= 0 then return math.max(left, 1) end
if tonumber(ARGV[1]) > 0 then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end
return 0`;
// PEXPIRE has GT since Redis 7 alone.
const HOLD = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end`;

/** A key of Redis is there for as long as no turn may begin. */
export function redisPacing(redis: RedisConnection, prefix: string): Pacing {
  const nameOf = (key: string): string => `${prefix}:pacing:${key}`;
  return {
    take: async (key, gapMs) => Number(await redis.eval(TAKE, 1, nameOf(key), Math.ceil(gapMs))),
    hold: async (key, ms) => {
      if (ms > 0) await redis.eval(HOLD, 1, nameOf(key), Math.ceil(ms));
    },
  };
}
