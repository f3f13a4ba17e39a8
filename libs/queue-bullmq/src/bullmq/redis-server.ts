import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { QueueServer } from './queue-server.js';
import { addressOf, reach, type Reaching } from './reach.js';

const PREFIX = 'quarry';
const CONNECT_TIMEOUT_MS = 5_000;
const COMMAND_TIMEOUT_MS = 10_000;
/** A producer fails when the connection is not back after so many attempts: it has the job still, and can add it again. */
const PRODUCER_RETRIES = 3;
const RECONNECT_MS = 200;
const LONGEST_RECONNECT_MS = 2_000;

/** BullMQ in a Redis database, under keys that begin with `quarry:`. */
export async function openRedisServer(url: string, reaching: Reaching): Promise<QueueServer> {
  await reach(addressOf(url), reaching, () => tryOut(url));
  let closed = false;
  // A worker that is closed while the server is away goes on connecting otherwise, and keeps the process alive.
  const retryStrategy = (times: number): number | null =>
    closed ? null : Math.min(times * RECONNECT_MS, LONGEST_RECONNECT_MS);
  const producers = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: PRODUCER_RETRIES,
    retryStrategy,
  });
  // Each queue hears of the connection's errors, but there may be no queue yet.
  producers.on('error', () => undefined);
  return {
    queue(name, onError) {
      return new Queue(name, { connection: producers, prefix: PREFIX }).on('error', onError);
    },
    worker(name, process, settings, events) {
      // A worker waits for the connection to come back, however long that takes.
      const connection = { url, connectTimeout: CONNECT_TIMEOUT_MS, maxRetriesPerRequest: null, retryStrategy };
      return new Worker(name, process, { ...settings, connection, prefix: PREFIX })
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
      await producers.quit().catch(() => {
        producers.disconnect();
      });
    },
  };
}

async function tryOut(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: CONNECT_TIMEOUT_MS, retryStrategy: () => null });
  let reason: Error | undefined;
  // A refused connection rejects with "Connection is closed"; this event says why.
  redis.on('error', (error: Error) => {
    reason = error;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
