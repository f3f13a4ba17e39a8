import type { BlobStore } from '@quarry/blob-store';
import { AttemptFailed, GiveUp, TryLater, type SyncCatalog } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue';
import { RunNotWanted, runReporter, type Reporting, type RunWatch } from '@quarry/run-reporting';
import { datasourceFolder, removeEarlierRuns } from '../documents/run-folder.js';
import { ListingAway, withRetries, type Wait, type ReadPage } from '@quarry/item-listing';
import { isRunCheckpoint, type RunCheckpoint } from '../run/run-checkpoint.js';
import { SyncProgress } from '../run/sync-progress.js';
import { SyncRun, type SyncRunContext } from '../run/sync-run.js';

export interface SyncCatalogContext extends SyncRunContext, Reporting {
  readonly blobs: BlobStore;
  readonly watch: RunWatch;
  readonly wait: Wait;
  /** @throws GiveUp when the job's headers cannot be opened */
  readonly openListing: (job: SyncCatalog, signal: AbortSignal) => ReadPage;
}

/** Without getting any further: a listing that asks for an hour each time is asked for half a day. */
const MAX_WAITS = 12;
const MAX_STARTS = 500;

/**
 * Reads a customer's listing while its run is wanted. What the gateway has recorded when it ends early is kept, and the next
 * start continues from there.
 *
 * @throws GiveUp with a listing's fault, TryLater when the listing asks for a pause or the gateway is unavailable, AttemptFailed
 *   when the listing may answer on another attempt
 */
export async function syncCatalog(context: SyncCatalogContext, payload: SyncCatalog, job: JobContext): Promise<void> {
  const state = await context.watch.follow(payload, job.signal, (signal) => sync(context, payload, { ...job, signal }));
  if (state === 'removed') await context.blobs.removeAll(datasourceFolder(payload));
}

async function sync(context: SyncCatalogContext, payload: SyncCatalog, job: JobContext): Promise<void> {
  const checkpoint = await openRun(context, payload);
  const reporter = runReporter(context, payload, { starts: job.starts, phase: 'whole' });
  reporter.started();
  try {
    if (!payload.dryRun) await removeEarlierRuns(context.blobs, payload);
    const progress = new SyncProgress(payload, checkpoint);
    const reading = new AbortController();
    const readPage = openListing(context, payload, { ...job, signal: AbortSignal.any([job.signal, reading.signal]) });
    const abortReading = (): void => {
      reading.abort();
    };
    const run = new SyncRun(context, { job: payload, readPage, checkpoint, progress, reporter, abortReading });
    await runToEnd(run, progress, { payload, job });
  } finally {
    reporter.stopped();
  }
}

async function openRun({ gateway }: SyncCatalogContext, run: SyncCatalog): Promise<RunCheckpoint | undefined> {
  const { state, checkpoint } = await gateway.openRun({ datasourceId: run.datasourceId, runId: run.runId });
  if (state !== 'wanted') throw new RunNotWanted(state);
  return isRunCheckpoint(checkpoint) && !run.dryRun ? checkpoint : undefined;
}

function openListing(context: SyncCatalogContext, payload: SyncCatalog, { signal, log }: JobContext): ReadPage {
  const readPage = context.openListing(payload, signal);
  const onRetry = (error: ListingAway): void => {
    log.warn({ err: error, datasourceId: payload.datasourceId }, 'a listing does not answer, and is asked again');
  };
  return async (query) => {
    signal.throwIfAborted();
    return withRetries(() => readPage(query), { wait: (ms) => context.wait(ms, signal), onRetry });
  };
}

interface SyncAttempt {
  readonly payload: SyncCatalog;
  readonly job: JobContext;
}

async function runToEnd(run: SyncRun, progress: SyncProgress, { payload, job }: SyncAttempt): Promise<void> {
  try {
    await run.run();
  } catch (error) {
    if (error instanceof RunNotWanted) throw error;
    if (error instanceof ListingAway) progress.noteWait();
    // What is not saved is read again: no reason to hide why the run ended.
    await run.saveCheckpoint().catch((err: unknown) => {
      if (!(err instanceof RunNotWanted)) job.log.warn({ err }, 'the checkpoint of a listing could not be saved');
    });
    throw toJobError(error, { waits: progress.waits, job, dryRun: payload.dryRun });
  }
}

function toJobError(
  error: unknown,
  run: { readonly waits: number; readonly job: JobContext; readonly dryRun: boolean },
): unknown {
  if (!(error instanceof ListingAway)) return error;
  const { code, message, retryAfterMs } = error;
  if (retryAfterMs === undefined) return new AttemptFailed(code, message, { cause: error });
  // A dry run saves nothing, so it would begin again after each wait.
  if (run.dryRun || run.waits > MAX_WAITS || run.job.starts > MAX_STARTS)
    return new GiveUp(code, message, { cause: error });
  return new TryLater(retryAfterMs, message, { cause: error, code });
}
