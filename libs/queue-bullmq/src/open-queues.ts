import { BullmqQueues } from './bullmq/bullmq-queues.js';
import { connectPostgresServer } from './bullmq/postgres-server.js';
import type { QueueServer } from './bullmq/queue-server.js';
import type { ConnectOptions } from './bullmq/connect-with-retries.js';
import { connectRedisServer } from './bullmq/redis-server.js';
import { createTracingOptions, type TracingOptions } from './bullmq/tracing-options.js';
import type { JobWatch, QueueLog, Queues } from '@quarry/queue';

export interface QueueSettings {
  /**
   * `postgres://`, `postgresql://`, `redis://`, `rediss://` (with TLS), `redis+sentinel://a:26379,b:26379/master` or
   * `redis+cluster://a:6379,b:6379`. The last two have `rediss` forms, too.
   */
  readonly url: string;
  readonly log: QueueLog;
  /** Receives the starts and ends of jobs, for metrics. */
  readonly watch?: JobWatch;
  /** Lets jobs continue the traces of their producers. Default: false. */
  readonly traced?: boolean;
  /** Maximum time to wait for the server at the start, in milliseconds. Default: 30 s. */
  readonly startTimeoutMs?: number;
  /**
   * Continues without a Redis server that is unavailable after that time, as if it were lost later. Default: false, an error is
   * thrown.
   */
  readonly canStartWithout?: boolean;
  /**
   * Maximum time until another process takes over the job of a killed process, in milliseconds. Default: 30 s. A process that is
   * blocked for two thirds of this time loses its jobs.
   */
  readonly takeoverMs?: number;
  /** Number of takeovers after which a job fails, because it may kill its workers. Default: 10. */
  readonly maxStalls?: number;
}

const REDIS = /^rediss?(\+(sentinel|cluster))?$/;
const DEFAULT_START_TIMEOUT_MS = 30_000;
const DEFAULT_TAKEOVER_MS = 30_000;
const DEFAULT_MAX_STALLS = 10;

/**
 * Opens the queues at an address and waits for the server. A connection that is lost later is restored automatically. Until then,
 * producers fail and consumers wait.
 *
 * @throws Error when the server does not respond in time, or the address has another protocol
 */
export async function openQueues(settings: QueueSettings): Promise<Queues> {
  const { url, log, watch, traced: isTraced = false, startTimeoutMs, takeoverMs, maxStalls } = settings;
  const { canStartWithout = false } = settings;
  const connectOptions = { log, timeoutMs: startTimeoutMs ?? DEFAULT_START_TIMEOUT_MS, canStartWithout };
  const server = await openServer(url, connectOptions, createTracingOptions(isTraced));
  return new BullmqQueues({
    server,
    log,
    watch,
    takeoverMs: takeoverMs ?? DEFAULT_TAKEOVER_MS,
    maxStalls: maxStalls ?? DEFAULT_MAX_STALLS,
  });
}

function openServer(url: string, connectOptions: ConnectOptions, traces: TracingOptions): Promise<QueueServer> {
  const [, protocol] = /^([a-z+]+):\/\//.exec(url) ?? [];
  if (protocol !== undefined && REDIS.test(protocol)) return connectRedisServer(url, connectOptions, traces);
  if (protocol === 'postgres' || protocol === 'postgresql') return connectPostgresServer(url, connectOptions, traces);
  throw new Error(
    `expected the address of the queues to start with redis://, rediss:// or postgres://, found ${protocol === undefined ? 'no address' : `${protocol}:`}`,
  );
}
