import { setTimeout as wait } from 'node:timers/promises';
import { MAX_ORGANIZATION_SHARE } from '@quarry/contracts';
import { type RunningLoop, startLoop } from '../concurrency/start-loop.js';
import type { Gateway } from '../gateway.js';
import { type DispatchLock, withDispatchLock } from './dispatch-state.js';
import { type DispatchedQueue, listDispatchedQueues, publishJobs } from './dispatched-queues.js';
import { MAX_DELAYED, QueueWindow } from './queue-window.js';
import { FairJobSelection, type Places, type SavedSelection } from './fair-job-selection.js';
import { claimJobs, type LaneOfClass, listLanes, listQueuesWithJobs } from './waiting-jobs.js';

type DispatcherContext = Pick<Gateway, 'db' | 'log'>;

/** Publishes the waiting jobs of the outbox to their queues. */
export interface Dispatcher {
  /**
   * Runs one round: publishes as many waiting jobs as each queue has room for.
   *
   * @returns the number of published jobs, and whether jobs may still wait in the outbox
   * @throws when a queue or the database is unavailable, after the other queues were filled
   */
  dispatch(): Promise<DispatchResult>;
}

export interface DispatchResult {
  readonly published: number;
  /**
   * True if jobs may still wait in the outbox, because a queue is full, another gateway is publishing jobs to a queue,
   * or an organization has reached its limit.
   */
  readonly isFull: boolean;
}

/**
 * Opens a dispatcher. The dispatchers of all gateways share the turns of organizations and the measured throughput of
 * queues.
 *
 * @param minWindow number of jobs that may always wait in a queue; by default, the default of `QueueWindow`
 */
export function openDispatcher(
  context: DispatcherContext,
  queues: readonly DispatchedQueue[],
  minWindow?: number,
): Dispatcher {
  const fillers = new Map(queues.map((queue) => [queue.name, createQueueFiller(context, queue, minWindow)]));
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

const NOTHING: DispatchResult = { published: 0, isFull: false };

/** Creates a function that publishes as many jobs as a queue has room for, unless another gateway is doing this. */
function createQueueFiller(
  { db, log }: DispatcherContext,
  queue: DispatchedQueue,
  minWindow: number | undefined,
): () => Promise<DispatchResult> {
  let ownTurns: SavedSelection | undefined;
  const fillQueue = async ({ state, atMs, save }: DispatchLock): Promise<DispatchResult> => {
    const [{ waiting, active, delayed }, capacity] = await Promise.all([queue.depth(), queue.capacity()]);
    const window = new QueueWindow(minWindow, state?.throughput);
    const free = window.getFreePlaces({ waiting, active, delayed }, capacity, atMs);
    if (free === 0) {
      save({ room: {}, ...state, waiting, active, throughput: window.recordPublishedJobs(0, true) });
      return { published: 0, isFull: true };
    }
    const lanes = await listLanes(db, queue.name, 2 * free);
    const places = { free, countFreePlaces: await createFreePlaceCounter(queue, { capacity, delayed }, lanes) };
    const selection = new FairJobSelection(state?.turns ?? ownTurns);
    const ids = selection.selectJobs(lanes, places);
    const rows = await claimJobs(db, ids);
    await publishJobs({ db, log }, queue.publish, rows);
    ownTurns = selection.exportTurns();
    const isFull = ids.length === free;
    const room = computeRemainingPlaces(lanes, ids, places);
    save({
      ...{ waiting: waiting + rows.length, active, throughput: window.recordPublishedJobs(rows.length, isFull) },
      ...{ room, ...(canShareTurns(ownTurns) && { turns: ownTurns }) },
    });
    return { published: rows.length, isFull: isFull || Object.values(room).some((left) => left <= 0) };
  };
  return async () => (await withDispatchLock(db, queue.name, fillQueue)) ?? { published: 0, isFull: true };
}

/**
 * Maximum number of organizations with waiting jobs for which gateways share the turns. If there are more, each gateway
 * uses turns of its own.
 */
const MAX_SHARED_TURNS = 1_000;

/** Returns true if the gateways share the turns, because few enough organizations have waiting jobs. */
function canShareTurns({ organizations }: SavedSelection): boolean {
  return organizations.ring.length <= MAX_SHARED_TURNS;
}

/**
 * Computes how many further jobs each organization with a limit may have in the queue after the selected jobs were
 * published.
 *
 * @param ids the ids of the selected jobs
 */
function computeRemainingPlaces(
  lanes: readonly LaneOfClass[],
  ids: readonly number[],
  { countFreePlaces }: Places,
): Readonly<Record<string, number>> {
  const selected = new Set(ids);
  const room: Record<string, number> = {};
  for (const { organizationId, jobs } of lanes) {
    const before = room[organizationId] ?? countFreePlaces(organizationId);
    if (before !== Infinity) room[organizationId] = before - jobs.filter(({ id }) => selected.has(id)).length;
  }
  return room;
}

/** Number of delayed jobs in a queue from which on the number of unfinished jobs per organization is limited. */
const MANY_DELAYED = MAX_DELAYED / 2;
/**
 * Maximum number of unfinished jobs of an organization in a queue with many delayed jobs. The limit prevents a few
 * organizations with slow servers from reaching `MAX_DELAYED`, which would stop the queue for all other organizations.
 */
const MAX_UNFINISHED = 10;

/**
 * Returns the maximum number of unfinished jobs of one organization in a queue. Infinity: no limit.
 *
 * @param delayed the number of delayed jobs in the queue
 */
export function getMaxUnfinishedJobs(delayed: number): number {
  return delayed < MANY_DELAYED ? Infinity : MAX_UNFINISHED;
}

/**
 * Creates a function that returns the number of jobs that an organization may add to a queue. Delayed jobs do not count
 * toward the organization's share of the capacity, so that an organization with some failing servers can still use its
 * other servers. Delayed jobs count toward `concurrentJobs`, because they will run again.
 */
async function createFreePlaceCounter(
  queue: DispatchedQueue,
  { capacity, delayed }: { readonly capacity: number; readonly delayed: number },
  lanes: readonly LaneOfClass[],
): Promise<Places['countFreePlaces']> {
  const share =
    queue.waitsForExternalServers && capacity > 0
      ? Math.max(1, Math.floor(capacity * MAX_ORGANIZATION_SHARE))
      : Infinity;
  const maxUnfinished = getMaxUnfinishedJobs(delayed);
  const limits = new Map(
    lanes.map(({ organizationId, concurrentJobs }) => [
      organizationId,
      Math.min(concurrentJobs ?? Infinity, maxUnfinished),
    ]),
  );
  const running = share === Infinity ? undefined : await queue.countByOrganization();
  const isLimited = [...limits.values()].some((limit) => limit !== Infinity);
  const unfinished = isLimited ? await queue.countUnfinishedByOrganization() : undefined;
  return (organizationId) => {
    const limit = limits.get(organizationId) ?? Infinity;
    // If there are too many jobs to count them, the organization may have reached its limit, so it gets no further
    // place.
    const used = unfinished === undefined ? limit : (unfinished.get(organizationId) ?? 0);
    return Math.min(share - (running?.get(organizationId) ?? 0), limit === Infinity ? Infinity : limit - used);
  };
}

/** Interval in milliseconds at which the dispatcher polls for jobs that another gateway wrote and did not publish. */
const POLL_MS = 1_000;
/**
 * Interval in milliseconds at which the dispatcher polls for room in the queues while jobs wait. `QueueWindow` provides
 * the workers with enough jobs for the time between two polls. Each poll executes about ten statements.
 */
const FULL_POLL_MS = 300;
/**
 * Minimum pause between two polls for room in the queues, in milliseconds. After this time, a newly written job starts
 * the next poll.
 */
const MIN_FULL_POLL_MS = 200;
/**
 * Time in milliseconds for which the publication of a new job waits for further jobs. Publishing one job costs almost
 * as much as publishing ten jobs, so jobs that are written in short succession share a batch.
 */
const LINGER_MS = 25;

/**
 * Starts the dispatcher, which publishes jobs as soon as they are written and their queue has room. The dispatcher
 * retries while a queue is unavailable.
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
        await wait(MIN_FULL_POLL_MS);
        await outboxWritten.wait(FULL_POLL_MS - MIN_FULL_POLL_MS);
        return;
      }
      if (published > 0) await wait(LINGER_MS);
      await outboxWritten.wait(POLL_MS);
    },
    wake: () => {
      outboxWritten.wake();
    },
    messages: {
      unavailable: 'the jobs of the outbox cannot be published; retrying',
      available: 'the jobs of the outbox are published again',
    },
  });
}
