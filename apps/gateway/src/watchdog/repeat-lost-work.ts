import { datasourceStatusQueue } from '@quarry/contracts';
import { and, eq, isNull } from 'drizzle-orm';
import { redactQueryParameters } from '../database/query-error.js';
import { runs } from '../database/tables/runs.js';
import type { Gateway } from '../gateway.js';
import { findMissingJobs, type MissingJob } from './find-missing-jobs.js';
import { repeatMissingJob } from './repeat-missing-job.js';
import { PAGE_SIZE, readWatchedJobs, type WatchedJob } from './watched-jobs.js';

type WatchdogContext = Pick<
  Gateway,
  'db' | 'queues' | 'log' | 'clock' | 'lostAfterMs' | 'watchMs' | 'outboxWritten' | 'changes'
>;

/** Finds runs and documents whose jobs are lost, and enqueues the jobs again. */
export interface LostWorkExaminer {
  /**
   * Examines jobs of runs in progress, and starts after the jobs that the previous call examined.
   *
   * @returns the number of lost jobs that were enqueued again, or whose run or document was settled as `run_lost`
   */
  examineNextJobs(): Promise<number>;
}

/** Maximum number of jobs that one examination looks up in the queues. */
const MAX_JOBS_PER_EXAMINATION = 20_000;

/**
 * Creates an examiner of the jobs of runs in progress that had no event in the last `watchMs` milliseconds. Each
 * examination continues where the previous one ended. So an execution of the watchdog takes a limited time, and every
 * job is examined in turn.
 *
 * @param maxJobs the number of jobs after which an examination stops; the page that contains this job is still examined
 */
export function createLostWorkExaminer(
  gateway: WatchdogContext,
  maxJobs = MAX_JOBS_PER_EXAMINATION,
  pageSize = PAGE_SIZE,
): LostWorkExaminer {
  let pages: AsyncGenerator<readonly WatchedJob[], undefined> | undefined;
  return {
    examineNextJobs: async () => {
      const { db, clock, watchMs } = gateway;
      let examined = 0;
      let repeated = 0;
      while (examined < maxJobs) {
        pages ??= readWatchedJobs(db, new Date(clock().getTime() - watchMs), pageSize);
        const page = await pages.next();
        if (page.done === true) {
          pages = undefined;
          break;
        }
        examined += Math.max(page.value.length, 1);
        repeated += await repeatMissingJobs(gateway, page.value);
      }
      if (repeated > 0) gateway.outboxWritten.wake();
      return repeated;
    },
  };
}

/**
 * Enqueues those of the given jobs again that are lost. An error is logged and not thrown, because the watchdog
 * retries. Returns the number of lost jobs that were enqueued again or settled as `run_lost`.
 */
async function repeatMissingJobs(gateway: WatchdogContext, jobs: readonly WatchedJob[]): Promise<number> {
  const { db, log, clock } = gateway;
  let repeated = 0;
  for (const missing of await findMissingJobs(gateway, jobs)) {
    const { job, presence } = missing;
    const fields = {
      datasourceId: job.row.id,
      runId: job.run.id,
      documentKey: job.document?.documentKey,
      job: presence,
    };
    try {
      if (presence === 'ended' && !(await isReportOverdue(gateway, missing))) continue;
      const outcome = await repeatMissingJob(db, job, clock());
      if (outcome === 'resumed') continue;
      repeated += 1;
      gateway.changes.publish({ kind: 'datasource', id: job.row.id });
      if (outcome === 'lost')
        log.warn(
          fields,
          `settled a ${job.document ? 'document' : 'run'} as run_lost, because its job was lost too often or cannot be repeated`,
        );
      else log.warn(fields, 'enqueued a lost job again');
    } catch (error) {
      log.error(
        { ...fields, err: redactQueryParameters(error) },
        'failed to enqueue a lost job again; the watchdog will retry',
      );
    }
  }
  return repeated;
}

/**
 * Returns true if the final event of an ended job is overdue: the watchdog first found at least `lostAfterMs` ago that
 * the job has ended, and all status events in the queue were added after that time. The first call for a run records
 * this time and returns false.
 */
async function isReportOverdue(
  { db, queues, clock, lostAfterMs }: WatchdogContext,
  { job: { run } }: MissingJob,
): Promise<boolean> {
  const now = clock();
  const since = run.missingSince;
  if (since === null || since < run.lastEventAt) {
    await db
      .update(runs)
      .set({ missingSince: now })
      .where(and(eq(runs.id, run.id), isNull(runs.endedAt)));
    return false;
  }
  if (now.getTime() - since.getTime() < lostAfterMs) return false;
  const oldest = await queues.findNextJobTime(datasourceStatusQueue);
  return oldest === undefined || oldest > since;
}
