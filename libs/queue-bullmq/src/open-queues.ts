import { BullmqQueues } from './bullmq/bullmq-queues.js';
import { connectPostgresServer } from './bullmq/postgres-server.js';
import type { QueueServer } from './bullmq/queue-server.js';
import type { ConnectOptions } from './bullmq/connect-with-retries.js';
import { connectRedisServer } from './bullmq/redis-server.js';
import { createTracingOptions, type TracingOptions } from './bullmq/tracing-options.js';
import type { JobWatch, QueueLog, Queues } from '@quarry/queue';

export interface QueueSettings {
  /**
   * Address of the queue server: `postgres://…`, `postgresql://…`, `redis://…`,
   * `redis+sentinel://a:26379,b:26379/master` or `redis+cluster://a:6379,b:6379`. `rediss` instead of `redis` selects
   * TLS.
   */
  readonly url: string;
  readonly log: QueueLog;
  /** Receives a call when a job begins to run, and another call when the job stops running. Used for metrics. */
  readonly watch?: JobWatch;
  /** If true, jobs continue the traces of their producers. Default: false. */
  readonly traced?: boolean;
  /** Maximum time in milliseconds to wait for the first response of the server. Default: 30 s. */
  readonly startTimeoutMs?: number;
  /**
   * If true, `openQueues` resolves even if a Redis server is still unavailable after `startTimeoutMs`. If false, the
   * default, `openQueues` throws an error.
   */
  readonly canStartWithout?: boolean;
  /**
   * Maximum time until another process takes over the job of a killed process, in milliseconds. Default: 30 s. A
   * process that blocks its event loop for two thirds of this time loses its jobs.
   */
  readonly takeoverMs?: number;
  /**
   * Maximum number of takeovers of a job. After more takeovers the job fails, because it may have crashed the
   * processes. Default: 10.
   */
  readonly maxStalls?: number;
}

const REDIS = /^rediss?(\+(sentinel|cluster))?$/;
const DEFAULT_START_TIMEOUT_MS = 30_000;
const DEFAULT_TAKEOVER_MS = 30_000;
const DEFAULT_MAX_STALLS = 10;

/**
 * Connects to a queue server, and waits until it responds. A connection that is lost later is restored automatically.
 * Until then, producers fail and consumers wait.
 *
 * @throws Error if the server does not respond in time, or the protocol of the address is not supported
 */
export async function openQueues(settings: QueueSettings): Promise<Queues> {
  const { url, log, watch, traced: isTraced = false, startTimeoutMs, takeoverMs, maxStalls } = settings;
  const { canStartWithout = false } = settings;
  const connectOptions = { log, timeoutMs: startTimeoutMs ?? DEFAULT_START_TIMEOUT_MS, canStartWithout };
  const server = await connectServer(url, connectOptions, createTracingOptions(isTraced));
  return new BullmqQueues({
    server,
    log,
    watch,
    takeoverMs: takeoverMs ?? DEFAULT_TAKEOVER_MS,
    maxStalls: maxStalls ?? DEFAULT_MAX_STALLS,
  });
}

function connectServer(url: string, connectOptions: ConnectOptions, traces: TracingOptions): Promise<QueueServer> {
  const [, protocol] = /^([a-z+]+):\/\//.exec(url) ?? [];
  if (protocol !== undefined && REDIS.test(protocol)) return connectRedisServer(url, connectOptions, traces);
  if (protocol === 'postgres' || protocol === 'postgresql') return connectPostgresServer(url, connectOptions, traces);
  throw new Error(
    `expected the address of the queues to start with redis://, rediss:// or postgres://, found ${protocol === undefined ? 'no address' : `${protocol}:`}`,
  );
}
