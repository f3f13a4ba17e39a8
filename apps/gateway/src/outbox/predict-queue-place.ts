import type { QueuePlace } from '@quarry/contracts';
import { and, isNull, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { outbox, type OutboxRow } from '../database/tables/outbox.js';
import { type DispatchState, loadRecentDispatchState } from './dispatch-state.js';
import { FairJobSelection, type SavedSelection } from './fair-job-selection.js';
import { getJobsPerSecond } from './queue-window.js';
import { IS_FREE, type LaneOfClass, listLanes } from './waiting-jobs.js';

type WaitingRow = Pick<OutboxRow, 'id' | 'queue' | 'organizationId'>;

/**
 * Returns the job of a run from the outbox. Undefined if the outbox does not contain the job, or if a dispatcher is
 * publishing it.
 */
export async function findWaitingJob(db: Queries, runId: string): Promise<WaitingRow | undefined> {
  const [row] = await db
    .select({ id: outbox.id, queue: outbox.queue, organizationId: outbox.organizationId })
    .from(outbox)
    .where(and(sql`${outbox.payload} ->> 'runId' = ${runId}`, isNull(outbox.refusal), IS_FREE))
    .limit(1);
  return row;
}

/** Maximum number of waiting jobs that are read for a prediction. */
const MAX_READ = 1_000;

/**
 * Predicts the place in the queue of a job that waits in the outbox, under the assumption that no further jobs arrive.
 *
 * @returns undefined if the place is unknown, because too many jobs wait, the organization reaches its limit in the
 *   queue before this job, or no gateway is dispatching jobs
 */
export async function predictQueuePlace(
  db: Queries,
  { id, queue, organizationId }: WaitingRow,
): Promise<QueuePlace | undefined> {
  const state = await loadRecentDispatchState(db, queue);
  if (state?.turns === undefined) return undefined;
  const lanes = await listLanes(db, queue, MAX_READ);
  const ahead = listJobsAhead(lanes, id, state.turns);
  if (ahead === undefined) return undefined;
  const own = lanes.filter((lane) => lane.organizationId === organizationId);
  const ownIds = new Set(own.flatMap(({ jobs }) => jobs.map((job) => job.id)));
  const isHeldBack = ahead.filter((each) => ownIds.has(each)).length >= (state.room[organizationId] ?? Infinity);
  // If the organization reaches its limit before this job, an unknown number of jobs of other organizations is
  // published first.
  if (isHeldBack && own.length < lanes.length) return undefined;
  const position = state.waiting + ahead.length;
  return isHeldBack ? { position } : buildQueuePlace(position, state);
}

/**
 * Lists the ids of the jobs that are published before the job with this id.
 *
 * @returns undefined if jobs that were not read may be published before that job
 */
function listJobsAhead(
  lanes: readonly LaneOfClass[],
  id: number,
  turns: SavedSelection,
): readonly number[] | undefined {
  const free = lanes.reduce((sum, { jobs }) => sum + jobs.length, 0);
  const order = new FairJobSelection(turns).selectJobs(lanes, { free, countFreePlaces: () => Infinity });
  const position = order.indexOf(id);
  if (position === -1) return undefined;
  const ahead = order.slice(0, position);
  const published = new Set(ahead);
  const isExhausted = ({ jobs, isComplete }: LaneOfClass): boolean =>
    !isComplete && jobs.every((job) => published.has(job.id));
  return lanes.some(isExhausted) ? undefined : ahead;
}

/**
 * Builds the place of a job from its position and the estimated time until its start. Omits the time if no jobs run, or
 * if the throughput of the queue was not measured recently.
 *
 * @param state undefined if no gateway has measured the queue recently
 */
export function buildQueuePlace(position: number, state: DispatchState | undefined): QueuePlace {
  const jobsPerSecond = state === undefined || state.active === 0 ? undefined : getJobsPerSecond(state.throughput);
  if (jobsPerSecond === undefined) return { position };
  return { position, estimatedSeconds: Math.ceil((position + 1) / jobsPerSecond) };
}
