import { Queue } from 'bullmq';
import { hasResolvedWithin } from '@quarry/cancellation';
import type { QueueLog } from '@quarry/queue';
import type { QueueServer } from './queue-server.js';
import { redactAddress, connectOrStartWithout, type ConnectOptions } from './connect-with-retries.js';
import { parseRedisAddress, type RedisAddress } from './redis-address.js';
import { createRedisConsumerRegistry } from './redis-consumer-registry.js';
import { createRedisPacing } from './redis-pacing.js';
import { connectRedis, type RedisConnection } from './redis-connection.js';
import { PausingWorker } from './pausing-worker.js';
import type { TracingOptions } from './tracing-options.js';

const PREFIX = 'quarry';
/**
 * Prefix of the keys in a cluster. The braces are a hash tag: keys with the same hash tag are on the same server, which
 * BullMQ requires for all keys of a queue.
 */
const CLUSTER_PREFIX = `{${PREFIX}}`;
const CONNECT_TIMEOUT_MS = 5_000;
const COMMAND_TIMEOUT_MS = 10_000;
/** Maximum duration of one attempt to connect to the server and to receive its responses, in milliseconds. */
const FIRST_RESPONSE_TIMEOUT_MS = 5_000;
/** Number of attempts to reconnect after which a producer's call fails. The caller can repeat the call. */
const PRODUCER_RETRIES = 3;
const RECONNECT_MS = 200;
const MAX_RECONNECT_MS = 2_000;

/** Connects BullMQ to a Redis database. The keys of BullMQ start with `quarry:`, in a cluster with `{quarry}:`. */
export async function connectRedisServer(
  url: string,
  connectOptions: ConnectOptions,
  tracing: TracingOptions,
): Promise<QueueServer> {
  const address = parseRedisAddress(url);
  const redactedAddress = redactAddress(url);
  await connectOrStartWithout(redactedAddress, connectOptions, () =>
    requireRedisResponse(address, redactedAddress, connectOptions),
  );
  const prefix = address.kind === 'cluster' ? CLUSTER_PREFIX : PREFIX;
  const workers = new Set<RedisConnection>();
  let isClosed = false;
  // Without the check of `isClosed`, a worker that is closed while the server is unavailable would reconnect and
  // prevent the process from exiting.
  const retryStrategy = (times: number): number | null =>
    isClosed ? null : Math.min(times * RECONNECT_MS, MAX_RECONNECT_MS);
  const producers = connectRedis(address, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: PRODUCER_RETRIES,
    retryStrategy,
  });
  // Without a listener, an error that occurs before the first queue adds its listener would end the process.
  producers.on('error', () => undefined);
  return {
    pacing: createRedisPacing(producers, prefix),
    consumers: createRedisConsumerRegistry(producers, prefix),
    batchFrom: 2,
    openQueue(name, onError) {
      return new Queue(name, { connection: producers, prefix, ...tracing }).on('error', onError);
    },
    startWorker(name, process, settings, events) {
      // Workers wait for the connection without a limit.
      const connection = connectRedis(address, {
        connectTimeout: CONNECT_TIMEOUT_MS,
        maxRetriesPerRequest: null,
        retryStrategy,
      });
      // The worker reports the errors of the connection, so this listener ignores them. The worker closes only its own
      // copy of the connection, so `close` of this `QueueServer` closes the connection.
      connection.on('error', () => undefined);
      workers.add(connection);
      return new PausingWorker(name, process, { ...settings, connection, prefix, ...tracing })
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
      isClosed = true;
      for (const connection of workers) connection.disconnect();
      await producers.quit().catch(() => {
        producers.disconnect();
      });
    },
  };
}

/**
 * Checks that the server responds, and logs a warning if the server may evict keys.
 *
 * @throws Error with the reason if the server does not respond in time
 */
async function requireRedisResponse(
  address: RedisAddress,
  redactedAddress: string,
  { timeoutMs, log }: ConnectOptions,
): Promise<void> {
  const redis = connectRedis(address, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: () => null,
    // With retries, the client of a cluster would report only that it is not connected, and not the reason.
    maxRetriesPerRequest: 0,
  });
  let reason: Error | undefined;
  // If the server refuses the connection, `connect` rejects with "Connection is closed". The event `error` contains the
  // reason.
  redis.on('error', (error: Error) => {
    reason = error;
  });
  const checkResponses = async (): Promise<void> => {
    await redis.connect();
    await redis.ping();
    await warnIfRedisEvictsKeys(redis, redactedAddress, log);
  };
  try {
    // `connectTimeout` of the client limits only the time until the server accepts the connection.
    const ms = Math.min(FIRST_RESPONSE_TIMEOUT_MS, timeoutMs);
    if (!(await hasResolvedWithin(checkResponses(), ms)))
      throw new Error(`ETIMEDOUT: the server sent no response within ${ms} ms`);
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}

/** Describes the method of a Redis client that reads the settings of the server. */
interface RedisInfoClient {
  info(section: string): Promise<string>;
}

/** Logs a warning if Redis evicts keys when its memory is full, because jobs would be lost without an error. */
async function warnIfRedisEvictsKeys(redis: RedisInfoClient, address: string, log: QueueLog): Promise<void> {
  const policy = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory'))?.[1];
  if (policy === undefined || policy === 'noeviction') return;
  log.warn(
    { address, policy },
    `Redis evicts keys, including jobs, when its memory is full (maxmemory-policy is ${policy}): set maxmemory-policy noeviction`,
  );
}
