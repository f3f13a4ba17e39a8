import { DEFAULT_JOB_WEIGHT } from '@quarry/contracts';
import type { MeasuredBacklog } from '@quarry/service-kit';
import { count, countDistinct, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { organizations } from '../database/tables/organizations.js';
import { outbox, type OutboxRow } from '../database/tables/outbox.js';
import { isAmongLockedJobs, JOB_CLASSES } from './outbox.js';

/** A job that waits for a free place in its queue. */
export interface WaitingJob {
  readonly id: number;
  /** The expected work of the job, in units. A small document has the cost 1. */
  readonly cost: number;
}

/** The waiting jobs of one organization and class, oldest first. */
export interface LaneOfClass {
  readonly organizationId: string;
  /** The class of the jobs, as its position in `JOB_CLASSES`. */
  readonly class: number;
  /** Time since the oldest job of the lane was written, in milliseconds. */
  readonly waitedMs: number;
  /** The jobs of the lane that were read: the oldest ones, oldest first. */
  readonly jobs: readonly WaitingJob[];
  /** Maximum number of jobs of the organization in the queue. Null: no limit. */
  readonly concurrentJobs: number | null;
  /**
   * Weight of the organization. An organization of weight 2 may start twice the work of an organization of weight 1 in
   * each turn.
   */
  readonly weight: number;
  /** True if `jobs` contains all jobs of the lane. */
  readonly isComplete: boolean;
}

/** SQL condition that selects jobs without a valid claim of a dispatcher, by the clock of the database. */
export const IS_FREE = sql`(claimed_until is null or claimed_until < now())`;

/**
 * Lists those lanes of a queue that contain waiting jobs.
 *
 * @param maxJobs the total number of jobs to read, in equal parts from all lanes; at least one job per lane is read
 */
export async function listLanes(db: Queries, queue: string, maxJobs: number): Promise<readonly LaneOfClass[]> {
  const { rows } = await db.execute<LaneRow>(sql`
    with recursive lane as (
      (select organization_id, class from ${outbox}
       where queue = ${queue} and refusal is null order by organization_id, class limit 1)
      union all
      select next.organization_id, next.class from lane, lateral (
        select organization_id, class from ${outbox}
        where queue = ${queue} and refusal is null and (organization_id, class) > (lane.organization_id, lane.class)
        order by organization_id, class limit 1
      ) next
    ), part as (select greatest(1, ${maxJobs}::int / greatest(1, count(*))::int) as jobs from lane)
    select lane.organization_id, lane.class, job.ids, job.costs, job.waited_ms,
      cardinality(job.ids) < part.jobs as is_complete,
      organization.concurrent_jobs, coalesce(organization.job_weight, ${DEFAULT_JOB_WEIGHT}::int) as job_weight
    from lane left join ${organizations} organization on organization.id = lane.organization_id,
    part, lateral (
      select array_agg(id order by id) as ids, array_agg(cost order by id) as costs,
        extract(epoch from now() - min(created_at))::float8 * 1000 as waited_ms
      from (
        select id, cost, created_at from ${outbox}
        where queue = ${queue} and organization_id = lane.organization_id and class = lane.class
          and refusal is null and ${IS_FREE}
        order by id limit part.jobs
      ) head
    ) job where job.ids is not null`);
  return rows.map(({ organization_id, class: jobClass, ids, costs, waited_ms, ...row }) => ({
    organizationId: organization_id,
    class: jobClass,
    waitedMs: waited_ms,
    concurrentJobs: row.concurrent_jobs,
    weight: row.job_weight,
    isComplete: row.is_complete,
    jobs: ids.map((id, at) => ({ id: Number(id), cost: costs[at] ?? 1 })),
  }));
}

type LaneRow = {
  readonly organization_id: string;
  readonly class: number;
  readonly ids: readonly string[];
  readonly costs: readonly number[];
  readonly waited_ms: number;
  readonly concurrent_jobs: number | null;
  readonly job_weight: number;
  readonly is_complete: boolean;
};

/**
 * Duration of a claim in seconds. After this time, another dispatcher publishes the claimed jobs of a crashed
 * dispatcher.
 */
const LEASE_SECONDS = 10;

/**
 * Returns those of the given queues that have unclaimed jobs in the outbox. The statement sorts by the columns of an
 * index, so that PostgreSQL finds the first job of each queue with this index.
 */
export async function listQueuesWithJobs(db: Queries, queues: readonly string[]): Promise<readonly string[]> {
  const { rows } = await db.execute<{ readonly dispatched: string }>(sql`
    select dispatched from unnest(${sql.param([...queues])}::text[]) as listed (dispatched), lateral (
      select from ${outbox} where queue = dispatched and refusal is null and ${IS_FREE}
      order by organization_id, class, id limit 1
    ) as first`);
  return rows.map(({ dispatched }) => dispatched);
}

/**
 * Claims jobs. Skips jobs that another transaction is deleting.
 *
 * @returns the rows in the order of `ids`, without those that another dispatcher has claimed
 */
export async function claimJobs(db: Queries, ids: readonly number[]): Promise<readonly OutboxRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .update(outbox)
    .set({ claimedUntil: sql`now() + make_interval(secs => ${LEASE_SECONDS})` })
    .where(isAmongLockedJobs(db, sql`${inArray(outbox.id, [...ids])} and ${IS_FREE}`, { skipLocked: true }))
    .returning();
  const position = new Map(ids.map((id, at) => [id, at]));
  return rows.toSorted((a, b) => (position.get(a.id) ?? 0) - (position.get(b.id) ?? 0));
}

/** Ends the claims of jobs, so that a dispatcher can claim them again at once. */
export async function releaseJobClaims(db: Queries, rows: readonly OutboxRow[]): Promise<void> {
  if (rows.length > 0) await db.update(outbox).set({ claimedUntil: null }).where(isOneOf(db, rows));
}

/** Deletes the rows of published jobs. */
export async function deletePublishedJobs(db: Queries, rows: readonly OutboxRow[]): Promise<void> {
  if (rows.length > 0) await db.delete(outbox).where(isOneOf(db, rows));
}

function isOneOf(db: Queries, rows: readonly OutboxRow[]): SQL {
  const ids = rows.map(({ id }) => id);
  return isAmongLockedJobs(db, inArray(outbox.id, ids));
}

/** Counts the waiting jobs of each queue and class, for metrics. */
export async function measureWaitingJobs(db: Queries, queues: readonly string[]): Promise<readonly MeasuredBacklog[]> {
  const rows = await db
    .select({
      queue: outbox.queue,
      class: outbox.class,
      jobs: count(),
      organizations: countDistinct(outbox.organizationId),
      oldestSeconds: sql<number>`extract(epoch from now() - min(${outbox.createdAt}))::float8`,
    })
    .from(outbox)
    .where(isNull(outbox.refusal))
    .groupBy(outbox.queue, outbox.class);
  return queues.flatMap((queue) =>
    JOB_CLASSES.map((name, position) => {
      const measured = rows.find((row) => row.queue === queue && row.class === position);
      return { jobs: 0, organizations: 0, oldestSeconds: 0, ...measured, queue, class: name };
    }),
  );
}
