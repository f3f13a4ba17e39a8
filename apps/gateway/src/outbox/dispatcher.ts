import { setTimeout as wait } from 'node:timers/promises';
import { MAX_ORGANIZATION_SHARE } from '@quarry/contracts';
import { eq, sql } from 'drizzle-orm';
import { type RunningLoop, startLoop } from '../concurrency/start-loop.js';
import type { Gateway } from '../gateway.js';
import type { Queries } from '../database/database.js';
import { dispatchLocks } from '../database/tables/dispatch-locks.js';
import { type DispatchedQueue, listDispatchedQueues, publishJobs } from './dispatched-queues.js';
import { QueueWindow } from './queue-window.js';
import { JobSelection, type Places } from './job-selection.js';
import { claimJobs, listLanes, listQueuesWithJobs } from './waiting-jobs.js';

type DispatcherContext = Pick<Gateway, 'db' | 'log'>;

/** Moves waiting jobs to their queues. */
export interface Dispatcher {
  /**
   * Fills the free places of all queues once.
   *
   * @returns the number of published jobs, and whether a queue has no place for further jobs
   * @throws when a queue or the database is unavailable, after the other queues were filled
   */
  dispatch(): Promise<Dispatched>;
}

export interface Dispatched {
  readonly published: number;
  readonly isFull: boolean;
}

/** Opens a dispatcher. It remembers whose turn is next, and how fast each queue is. @param minWindow see `QueueWindow` */
export function openDispatcher(
  context: DispatcherContext,
  queues: readonly DispatchedQueue[],
  minWindow?: number,
): Dispatcher {
  const fillers = new Map(queues.map((queue) => [queue.name, createFiller(context, queue, minWindow)]));
  return {
    dispatch: async () => {
      const waiting = await listQueuesWithJobs(context.db, [...fillers.keys()]);
      const results = await Promise.allSettled(waiting.map(async (queue) => fillers.get(queue)?.()));
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      const filled = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value ?? NOTHING] : []));
      return {
        published: filled.reduce((sum, { published }) => sum + published, 0),
        isFull: filled.some(({ isFull }) => isFull),
      };
    },
  };
}

const NOTHING: Dispatched = { published: 0, isFull: false };

/** Creates a function that fills the free places of a queue. Another gateway that fills it at the moment goes first. */
function createFiller(
  { db, log }: DispatcherContext,
  queue: DispatchedQueue,
  minWindow: number | undefined,
): () => Promise<Dispatched> {
  const selection = new JobSelection();
  const window = new QueueWindow(minWindow);
  const fillQueue = async (): Promise<Dispatched> => {
    const [depth, capacity] = await Promise.all([queue.depth(), queue.capacity()]);
    const free = window.getFreePlaces(depth, capacity, performance.now());
    if (free === 0) return { published: 0, isFull: true };
    const places = { free, freeFor: await limitShares(queue, capacity) };
    const ids = selection.selectJobs(await listLanes(db, queue.name, free), places);
    const rows = await claimJobs(db, ids);
    await publishJobs({ db, log }, queue.publish, rows);
    window.addPublished(rows.length);
    return { published: rows.length, isFull: ids.length === free };
  };
  return async () => (await withDispatchLock(db, queue.name, fillQueue)) ?? { published: 0, isFull: true };
}

/** Returns a function that limits the jobs of one organization in a queue. */
async function limitShares(queue: DispatchedQueue, capacity: number): Promise<Places['freeFor']> {
  if (!queue.waitsForOutsiders || capacity === 0) return () => Infinity;
  const counts = await queue.countByOrganization();
  const limit = Math.max(1, Math.floor(capacity * MAX_ORGANIZATION_SHARE));
  return (organizationId) => limit - (counts.get(organizationId) ?? 0);
}

/** Interval at which the dispatcher looks for jobs that another gateway wrote and did not publish, in milliseconds. */
const POLL_MS = 1_000;
/** Interval at which the dispatcher looks for free places while jobs wait, in milliseconds. */
const FULL_POLL_MS = 100;
/**
 * Linger in milliseconds: publishing one job costs almost as much as publishing ten, so jobs that are written in short succession
 * share a batch.
 */
const LINGER_MS = 25;

/**
 * Starts the dispatcher, which publishes jobs as soon as they are written and their queue has room. It retries while a queue is
 * unavailable.
 */
export function startDispatcher(gateway: Pick<Gateway, 'db' | 'log' | 'queues' | 'outboxWritten'>): RunningLoop {
  const { log, queues, outboxWritten } = gateway;
  const dispatcher = openDispatcher(gateway, listDispatchedQueues(queues));
  return startLoop({
    log,
    work: () => dispatcher.dispatch(),
    failed: NOTHING,
    pause: async ({ published, isFull }) => {
      if (isFull) {
        await wait(FULL_POLL_MS);
        return;
      }
      if (published > 0) await wait(LINGER_MS);
      await outboxWritten.wait(POLL_MS);
    },
    wake: () => {
      outboxWritten.wake();
    },
    messages: {
      unavailable: 'the outbox cannot be published; retrying',
      available: 'the outbox is published again',
    },
  });
}

/** Time after which the lock of a killed gateway ends, in seconds. */
const LOCK_SECONDS = 10;

/**
 * Runs work while this gateway alone fills a queue. Otherwise several gateways would fill the same free places.
 *
 * @returns the result, or undefined when another gateway has the lock
 */
async function withDispatchLock<Result>(
  db: Queries,
  queue: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const lockedUntil = sql`clock_timestamp() + make_interval(secs => ${LOCK_SECONDS})`;
  const [lock] = await db
    .insert(dispatchLocks)
    .values({ queue, lockedUntil })
    .onConflictDoUpdate({
      target: dispatchLocks.queue,
      set: { lockedUntil },
      setWhere: sql`${dispatchLocks.lockedUntil} < clock_timestamp()`,
    })
    .returning();
  if (lock === undefined) return undefined;
  try {
    return await work();
  } finally {
    // A lock that cannot be released ends by itself.
    await db
      .update(dispatchLocks)
      .set({ lockedUntil: sql`clock_timestamp()` })
      .where(eq(dispatchLocks.queue, queue))
      .catch(() => undefined);
  }
}
