import { and, eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datastores } from '../database/tables/datastores.js';
import { runDocuments, type RunDocumentRow } from '../database/tables/run-documents.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import { writeOutboxJobs } from '../outbox/outbox.js';
import { lockRun, type LockedRun } from '../runs/run-in-progress.js';
import { recordDocumentOutcome } from '../runs/update/record-outcomes.js';
import { recordUpdateWithLock } from '../runs/update/record-update-with-lock.js';
import { buildFoundDocumentOutboxJob, buildSyncJob } from '../runs/start/build-sync-job.js';
import type { WatchedJob } from './watched-jobs.js';

/** Maximum number of times that a job is enqueued again because it was lost or ended without a final event. */
export const MAX_REPEATS = 3;

/**
 * The result of `repeatMissingJob`. `repeated`: the job was enqueued again. `lost`: its run or document was settled as
 * `run_lost`. `resumed`: nothing was done, because after the job was found missing, an event of the run arrived or the
 * run ended.
 */
export type RepeatResult = 'repeated' | 'lost' | 'resumed';

/** Enqueues a lost job again. If the job cannot be repeated, settles the run or document of the job as `run_lost`. */
export async function repeatMissingJob(db: Queries, { run, document }: WatchedJob, now: Date): Promise<RepeatResult> {
  return db.transaction(async (tx) => {
    const locked = await lockRun(tx, { datasourceId: run.datasourceId, runId: run.id });
    if (typeof locked === 'string') return 'resumed';
    return document === undefined ? repeatRunJob(tx, locked, run, now) : repeatDocumentJob(tx, locked, document, now);
  });
}

/**
 * Enqueues the lost job of a run again, or settles the run as `run_lost`.
 *
 * @param seen the row of the run at the time when the watchdog found the job missing
 */
async function repeatRunJob(tx: Queries, { row, run }: LockedRun, seen: RunRow, now: Date): Promise<RepeatResult> {
  if (run.lastEventAt.getTime() !== seen.lastEventAt.getTime() || run.repeats !== seen.repeats) return 'resumed';
  const repeats = run.repeats + 1;
  const [datastore] = await tx.select().from(datastores).where(eq(datastores.id, row.datastoreId));
  const canRepeat = repeats <= MAX_REPEATS && run.documentsExpected === null && datastore !== undefined;
  const job = canRepeat ? buildSyncJob(datastore, row, { ...run, repeats }) : undefined;
  if (job === undefined) return failLostRun(tx, { row, run }, now);
  await tx.update(runs).set({ repeats, lastEventAt: now, missingSince: null }).where(eq(runs.id, run.id));
  await writeOutboxJobs(tx, row.organizationId, [job]);
  return 'repeated';
}

/** Ends a run whose job is lost with the error `run_lost`. */
async function failLostRun(tx: Queries, { row, run }: LockedRun, now: Date): Promise<RepeatResult> {
  const message = `${describeLostJob(run)}. Sync the datasource again.`;
  const ending = { kind: 'aborted', code: 'run_lost', message } as const;
  const event = { type: 'ended', runId: run.id, sequence: row.sequence + 1, ending } as const;
  await recordUpdateWithLock(tx, { datasourceId: row.id, event, at: now }, now);
  return 'lost';
}

/** Enqueues the lost job of one document of a run again, or settles the document as `run_lost`. */
async function repeatDocumentJob(
  tx: Queries,
  { row, run }: LockedRun,
  { documentKey, repeats: seen }: RunDocumentRow,
  now: Date,
): Promise<RepeatResult> {
  const isThis = and(
    eq(runDocuments.datasourceId, row.id),
    eq(runDocuments.runId, run.id),
    eq(runDocuments.documentKey, documentKey),
  );
  const [document] = await tx.select().from(runDocuments).where(isThis);
  if (document?.repeats !== seen) return 'resumed';
  const repeats = seen + 1;
  if (repeats > MAX_REPEATS) {
    const { name, source } = document.job;
    const reason = { code: 'run_lost', message: `${describeLostJob(document)}. Sync the datasource again.` } as const;
    const identity = {
      datasourceId: row.id,
      runId: run.id,
      documentKey,
      name,
      ...(source !== undefined && { source }),
    };
    await recordDocumentOutcome(tx, { ...identity, ...reason, outcome: 'failed', at: now.toISOString() }, now);
    return 'lost';
  }
  await tx.update(runDocuments).set({ repeats }).where(isThis);
  await tx.update(runs).set({ lastEventAt: now, missingSince: null }).where(eq(runs.id, run.id));
  await writeOutboxJobs(tx, row.organizationId, [buildFoundDocumentOutboxJob({ ...document.job, repeat: repeats })]);
  return 'repeated';
}

function describeLostJob({ repeats }: Pick<RunRow, 'repeats'>): string {
  return repeats === 0
    ? 'The job was lost and cannot be repeated'
    : `The job was lost, or ended without a report, and was repeated ${repeats} times`;
}
