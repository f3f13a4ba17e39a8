import type { QueueLog } from '@quarry/queue';
import { Queue } from 'bullmq';
import type { QueueServer } from './queue-server.js';
import { addressOf, reachOrContinue, type Reaching } from './reach.js';
import { redisAddress, type RedisAddress } from './redis-address.js';
import { connectRedis, type RedisConnection } from './redis-connection.js';
import { redisPacing } from './redis-pacing.js';
import { SteadyWorker } from './steady-worker.js';
import type { Traced } from './traced.js';

const PREFIX = 'quarry';
/** In a cluster, all keys of a queue have to be on one server: those with the same text in braces are. */
const CLUSTER_PREFIX = `{${PREFIX}}`;
const CONNECT_TIMEOUT_MS = 5_000;
const COMMAND_TIMEOUT_MS = 10_000;
/** A producer fails when the connection is not back after so many attempts: it has the job still, and can add it again. */
const PRODUCER_RETRIES = 3;
const RECONNECT_MS = 200;
const LONGEST_RECONNECT_MS = 2_000;

/** BullMQ in a Redis database, under keys that begin with `quarry:`; in a cluster `{quarry}:`. */
export async function openRedisServer(url: string, reaching: Reaching, traced: Traced): Promise<QueueServer> {
  const address = redisAddress(url);
  const shown = addressOf(url);
  await reachOrContinue(shown, reaching, () => tryOut(address, shown, reaching.log));
  const prefix = address.kind === 'cluster' ? CLUSTER_PREFIX : PREFIX;
  const workers = new Set<RedisConnection>();
  let closed = false;
  // A worker that is closed while the server is away goes on connecting otherwise, and keeps the process alive.
  const retryStrategy = (times: number): number | null =>
    closed ? null : Math.min(times * RECONNECT_MS, LONGEST_RECONNECT_MS);
  const producers = connectRedis(address, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: PRODUCER_RETRIES,
    retryStrategy,
  });
  // Each queue hears of the connection's errors, but there may be no queue yet.
  producers.on('error', () => undefined);
  return {
    pacing: redisPacing(producers, prefix),
    batchFrom: 2,
    queue(name, onError) {
      return new Queue(name, { connection: producers, prefix, ...traced }).on('error', onError);
    },
    worker(name, process, settings, events) {
      // A worker waits for the connection to come back, however long that takes.
      const connection = connectRedis(address, {
        connectTimeout: CONNECT_TIMEOUT_MS,
        maxRetriesPerRequest: null,
        retryStrategy,
      });
      // The worker hears of the errors too; it closes the copy it makes for waiting, and leaves this one to us.
      connection.on('error', () => undefined);
      workers.add(connection);
      return new SteadyWorker(name, process, { ...settings, connection, prefix, ...traced })
        .on('error', (error) => {
          events.onError(error);
        })
        .on('lockRenewalFailed', (ids) => {
          events.onLocksLost(ids);
        });
    },
    async ping() {
      await producers.ping();
    },
    async close() {
      closed = true;
      for (const connection of workers) connection.disconnect();
      await producers.quit().catch(() => {
        producers.disconnect();
      });
    },
  };
}

/** @returns when the server has answered, and has said how it keeps what it is given */
async function tryOut(address: RedisAddress, shown: string, log: QueueLog): Promise<void> {
  const redis = connectRedis(address, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: () => null,
    // In a cluster, "not connected" is tried again and hides the reason otherwise.
    maxRetriesPerRequest: 0,
  });
  let reason: Error | undefined;
  // A refused connection rejects with "Connection is closed"; this event says why.
  redis.on('error', (error: Error) => {
    reason = error;
  });
  try {
    await redis.connect();
    await redis.ping();
    await checkEviction(redis, shown, log);
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}

/** Warns if a full Redis would evict keys, because evicted jobs are lost. */
async function checkEviction(redis: Pick<RedisConnection, 'info'>, address: string, log: QueueLog): Promise<void> {
  const policy = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory'))?.[1];
  if (policy === undefined || policy === 'noeviction') return;
  log.warn(
    { address, policy },
    `Redis throws keys away when its memory is full (maxmemory-policy is ${policy}), and jobs with them: set maxmemory-policy noeviction`,
  );
}
