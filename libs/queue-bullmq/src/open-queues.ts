import { BullmqQueues } from './bullmq/bullmq-queues.js';
import { openPostgresServer } from './bullmq/postgres-server.js';
import type { QueueServer } from './bullmq/queue-server.js';
import type { Reaching } from './bullmq/reach.js';
import { openRedisServer } from './bullmq/redis-server.js';
import { traced, type Traced } from './bullmq/traced.js';
import type { JobWatch, QueueLog, Queues } from '@quarry/queue';

export interface QueueSettings {
  /**
   * `postgres://`, `postgresql://`, `redis://`, `rediss://` (with TLS), or `redis+sentinel://a:26379,b:26379/master` and
   * `redis+cluster://a:6379,b:6379`, which have a `rediss` form too.
   */
  readonly url: string;
  readonly log: QueueLog;
  /** For measuring. */
  readonly watch?: JobWatch;
  /** Whether jobs go on in the traces of those who add them. They do not when absent. */
  readonly traced?: boolean;
  /** How long to wait for the server at first, in milliseconds. 30 s when absent. */
  readonly startTimeoutMs?: number;
  /** Continues without a Redis that cannot be connected to in that time, as if it were lost later. Absent: that throws. */
  readonly canStartWithout?: boolean;
  /**
   * How long a job waits to be taken over after the process that ran it was killed, at most, in milliseconds. 30 s when
   * absent. A process that does nothing for two thirds of it, as when its event loop is blocked, loses its jobs.
   */
  readonly takeoverMs?: number;
  /** How often a job may be taken over before it fails: some jobs are what kills the process. 10 when absent. */
  readonly maxStalls?: number;
}

const REDIS = /^rediss?(\+(sentinel|cluster))?$/;
const DEFAULT_START_TIMEOUT_MS = 30_000;
const DEFAULT_TAKEOVER_MS = 30_000;
const DEFAULT_MAX_STALLS = 10;

/**
 * Opens the queues that are kept at an address, waiting for the server there. A connection that is lost later comes back by
 * itself: until then producers fail and consumers wait.
 *
 * @throws when the server does not answer in time, or the address is of another kind
 */
export async function openQueues(settings: QueueSettings): Promise<Queues> {
  const { url, log, watch, traced: isTraced = false, startTimeoutMs, takeoverMs, maxStalls } = settings;
  const { canStartWithout = false } = settings;
  const reaching = { log, timeoutMs: startTimeoutMs ?? DEFAULT_START_TIMEOUT_MS, canStartWithout };
  const server = await openServer(url, reaching, traced(isTraced));
  return new BullmqQueues({
    server,
    log,
    watch,
    takeoverMs: takeoverMs ?? DEFAULT_TAKEOVER_MS,
    maxStalls: maxStalls ?? DEFAULT_MAX_STALLS,
  });
}

function openServer(url: string, reaching: Reaching, traces: Traced): Promise<QueueServer> {
  const [, protocol] = /^([a-z+]+):\/\//.exec(url) ?? [];
  if (protocol !== undefined && REDIS.test(protocol)) return openRedisServer(url, reaching, traces);
  if (protocol === 'postgres' || protocol === 'postgresql') return openPostgresServer(url, reaching, traces);
  throw new Error(
    `the queues' address is expected to begin with redis://, rediss:// or postgres://, found ${protocol === undefined ? 'no address' : `${protocol}:`}`,
  );
}
