import type { JobPayloads, QueueContract } from '@quarry/contracts';
import { getCurrentTrace } from '@quarry/service-kit';
import { sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { outbox, type OutboxRow } from '../database/tables/outbox.js';

/**
 * Names the classes of jobs, the most urgent class first.
 *
 * - `interactive`: a person waits, such as for an upload or a removal.
 * - `sync`: the job of a run for which no person waits, such as a scheduled sync or the crawl of a site.
 * - `bulk`: the job of one of many documents of a run.
 */
export const JOB_CLASSES = ['interactive', 'sync', 'bulk'] as const;
export type JobClass = (typeof JOB_CLASSES)[number];

/** Describes a job that is published as soon as its transaction is committed and its queue has room. */
export interface OutboxJob {
  readonly queue: string;
  readonly name: string;
  readonly payload: object;
  readonly class: JobClass;
  /** The expected work of the job, in units. A small document, a page or a request has the cost 1. */
  readonly cost: number;
}

/** Builds an outbox job whose name and payload are typed by the contract of its queue. */
export function buildOutboxJob<Jobs extends JobPayloads, Name extends keyof Jobs & string>(
  contract: QueueContract<Jobs>,
  job: { readonly name: Name; readonly payload: Jobs[Name]; readonly class: JobClass; readonly cost?: number },
): OutboxJob {
  return { cost: 1, ...job, queue: contract.name };
}

/** Number of bytes of a document whose indexing takes as much work as the constant part of a job. */
const BYTES_PER_COST = 65_536;
const MAX_COST = 256;

/** Returns the cost of indexing a document. @param bytes the size of the document; 0 if unknown */
export function computeIndexingCost(bytes = 0): number {
  return Math.min(MAX_COST, 1 + Math.floor(bytes / BYTES_PER_COST));
}

/**
 * Deletes waiting jobs of runs that have ended. Keeps jobs that remove content, because the end of a run writes them.
 *
 * @param tx the transaction that ends the runs
 */
export async function deleteJobsOfRuns(tx: Queries, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  const isOfRun = sql`${outbox.payload} ->> 'runId' = any(${sql.param([...runIds])}::text[])`;
  await tx.delete(outbox).where(isAmongLockedJobs(tx, sql`${isOfRun} and not ${outbox.payload} ? 'removalId'`));
}

/**
 * Builds the condition that a job is one of those that meet `condition`, and locks these jobs in the order of their ids.
 * All statements that change several jobs lock them in this order, so that they cannot deadlock.
 */
export function isAmongLockedJobs(db: Queries, condition: SQL, { skipLocked = false } = {}): SQL {
  const locked = db.select({ id: outbox.id }).from(outbox).where(condition).orderBy(outbox.id);
  const ids = skipLocked ? locked.for('update', { skipLocked }) : locked.for('update');
  return sql`${outbox.id} = any(array(${ids}))`;
}

/** Maximum number of rows per statement, because PostgreSQL limits a statement to 65,535 parameters. */
const MAX_ROWS = 5_000;

/** Writes jobs to the outbox. @param tx the transaction that writes the data to which the jobs refer */
export async function writeOutboxJobs(tx: Queries, organizationId: string, jobs: readonly OutboxJob[]): Promise<void> {
  const rows = jobs.map((job) => buildOutboxRow(organizationId, job));
  for (let start = 0; start < rows.length; start += MAX_ROWS) {
    await tx.insert(outbox).values(rows.slice(start, start + MAX_ROWS));
  }
}

type NewOutboxRow = Omit<OutboxJob, 'class'> & Pick<OutboxRow, 'organizationId' | 'class' | 'traceparent'>;

/**
 * Builds the outbox row of a job. The row contains the current trace context, so that the spans of the job belong to
 * the current trace.
 */
export function buildOutboxRow(organizationId: string, job: OutboxJob): NewOutboxRow {
  return { ...job, class: JOB_CLASSES.indexOf(job.class), organizationId, traceparent: getCurrentTrace() ?? null };
}

/**
 * Lets one caller of `wait` continue when `wake` is called. A call of `wake` while no caller waits makes the next call
 * of `wait` return at once, so that no call is lost.
 */
export interface Signal {
  wake(): void;
  /** Resolves after the next call of `wake`, or after `timeoutMs` milliseconds. */
  wait(timeoutMs: number): Promise<void>;
}

export function createWakeSignal(): Signal {
  let pending = false;
  let release: (() => void) | undefined;
  return {
    wake: () => {
      pending = true;
      release?.();
    },
    wait: async (timeoutMs) => {
      if (!pending) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          release = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        release = undefined;
      }
      pending = false;
    },
  };
}
