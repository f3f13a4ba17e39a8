import { Cluster, Redis } from 'ioredis';
import type { RedisAddress } from './redis-address.js';

export type RedisConnection = Redis | Cluster;

/** Describes the options of a Redis connection. Times are in milliseconds. */
export interface ConnectionOptions {
  readonly connectTimeout: number;
  readonly commandTimeout?: number;
  /**
   * Number of attempts to reconnect after which waiting commands fail. Null: commands wait for the connection without a
   * limit.
   */
  readonly maxRetriesPerRequest: number | null;
  /** Returns the delay before attempt number `times` to connect. Null: no further attempt is made. */
  readonly retryStrategy: (times: number) => number | null;
  readonly lazyConnect?: boolean;
}

/** Connects to a Redis deployment. */
export function connectRedis(address: RedisAddress, options: ConnectionOptions): RedisConnection {
  if (address.kind === 'server') return new Redis(address.url, options);
  const { username, password, tls } = address;
  const shared = {
    ...options,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
  };
  const { retryStrategy, lazyConnect = false } = options;
  if (address.kind === 'cluster') {
    return new Cluster([...address.nodes], {
      redisOptions: shared,
      clusterRetryStrategy: retryStrategy,
      lazyConnect,
    });
  }
  return new Redis({
    ...shared,
    sentinels: [...address.nodes],
    name: address.master,
    db: address.db,
    enableTLSForSentinelMode: tls,
    sentinelRetryStrategy: retryStrategy,
  });
}
