import { Cluster, Redis } from 'ioredis';
import type { RedisAddress } from './redis-address.js';

export type RedisConnection = Redis | Cluster;

/** Of each connection to a server. Times in milliseconds. */
export interface ConnectionOptions {
  readonly connectTimeout: number;
  readonly commandTimeout?: number;
  /** Null: a command waits for the connection to come back, however long that takes. */
  readonly maxRetriesPerRequest: number | null;
  /** How long to wait before the connection is tried again; null: not again. */
  readonly retryStrategy: (times: number) => number | null;
  readonly lazyConnect?: boolean;
}

/** Connects to a Redis as its address says. */
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
