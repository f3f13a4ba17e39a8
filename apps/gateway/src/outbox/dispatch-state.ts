import { eq, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { dispatchLocks } from '../database/tables/dispatch-locks.js';
import type { SavedSelection } from './fair-job-selection.js';
import type { Throughput } from './queue-window.js';

/**
 * The state of a dispatched queue, as JSON. The gateways share this state. It describes the queue after the latest
 * publication.
 */
export interface DispatchState {
  readonly throughput: Throughput;
  /** Number of jobs that wait in the queue. */
  readonly waiting: number;
  /** Number of jobs of the queue that are running. */
  readonly active: number;
  /**
   * The turns in which organizations start jobs. Absent if too many organizations have waiting jobs. In this case, each
   * gateway uses turns of its own.
   */
  readonly turns?: SavedSelection;
  /**
   * Number of further jobs of an organization that the queue may contain, keyed by organization id. Contains only
   * organizations with waiting jobs and a limit.
   */
  readonly room: Readonly<Record<string, number>>;
}

/** The exclusive right of one gateway to publish jobs to a queue. */
export interface DispatchLock {
  /** The current time by the clock of the database, in milliseconds since 1970-01-01. */
  readonly atMs: number;
  /** The state of the queue that was stored last. Undefined if no gateway has stored a state. */
  readonly state: DispatchState | undefined;
  /** Sets the state that is stored when the lock is released. If `work` fails, no state is stored. */
  readonly save: (state: DispatchState) => void;
}

/** Time after which the lock of a killed gateway expires, in seconds. */
const LOCK_SECONDS = 10;

const NOW_MS = sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`;

/**
 * Calls `work` while this gateway holds the lock of a queue. So only one gateway at a time measures the queue and fills
 * it.
 *
 * @returns the result, or undefined when another gateway has the lock
 */
export async function withDispatchLock<Result>(
  db: Queries,
  queue: string,
  work: (lock: DispatchLock) => Promise<Result>,
): Promise<Result | undefined> {
  const lockedUntil = sql`clock_timestamp() + make_interval(secs => ${LOCK_SECONDS})`;
  const [row] = await db
    .insert(dispatchLocks)
    .values({ queue, lockedUntil })
    .onConflictDoUpdate({
      target: dispatchLocks.queue,
      set: { lockedUntil },
      setWhere: sql`${dispatchLocks.lockedUntil} < clock_timestamp()`,
    })
    .returning({ state: dispatchLocks.state, atMs: NOW_MS });
  if (row === undefined) return undefined;
  let saved: DispatchState | undefined;
  const save = (state: DispatchState): void => {
    saved = state;
  };
  try {
    return await work({ atMs: row.atMs, state: toDispatchState(row.state), save });
  } catch (error) {
    saved = undefined;
    throw error;
  } finally {
    // If the lock cannot be released, it expires.
    await db
      .update(dispatchLocks)
      .set({ lockedUntil: sql`clock_timestamp()`, ...(saved !== undefined && { state: saved }) })
      .where(eq(dispatchLocks.queue, queue))
      .catch(() => undefined);
  }
}

/** Returns the state of a queue, or undefined if no gateway has measured the queue in the last 10 seconds. */
export async function loadRecentDispatchState(db: Queries, queue: string): Promise<DispatchState | undefined> {
  const [row] = await db
    .select({ state: dispatchLocks.state, atMs: NOW_MS })
    .from(dispatchLocks)
    .where(eq(dispatchLocks.queue, queue));
  const state = toDispatchState(row?.state ?? null);
  if (row === undefined || state === undefined) return undefined;
  return row.atMs - state.throughput.atMs <= LOCK_SECONDS * 1000 ? state : undefined;
}

/** Converts the value of the column `state` to a state. Undefined: no gateway has stored a state. */
function toDispatchState(state: object | null): DispatchState | undefined {
  return state === null ? undefined : (state as DispatchState); // `withDispatchLock` alone writes the column
}
