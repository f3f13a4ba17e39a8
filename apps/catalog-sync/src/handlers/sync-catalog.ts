import type { BlobStore } from '@quarry/blob-store';
import { AttemptFailed, GiveUp, TryLater, type SyncCatalog } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue';
import { RunNotWanted, createRunReporter, type Reporting, type RunWatch } from '@quarry/run-reporting';
import { getDatasourceFolder, removeEarlierRuns } from '../documents/store-documents.js';
import { TemporaryListingError, withRetries, type Wait, type ReadPage } from '@quarry/item-listing';
import { isRunCheckpoint, type RunCheckpoint, SyncProgress } from '../run/sync-progress.js';
import { SyncRun, type SyncRunContext } from '../run/sync-run.js';

export interface SyncCatalogContext extends SyncRunContext, Reporting {
  readonly blobs: BlobStore;
  readonly watch: RunWatch;
  readonly wait: Wait;
  /** @throws GiveUp when the headers of the listing cannot be decrypted */
  readonly openListing: (job: SyncCatalog, signal: AbortSignal) => ReadPage;
}

/** Maximum number of consecutive pauses that the listing may request without progress: half a day with pauses of one hour. */
const MAX_CONSECUTIVE_PAUSES = 12;
const MAX_STARTS = 500;

/**
 * Reads a customer's listing until its end, or until its run is cancelled or superseded. Documents that the gateway has
 * recorded stay recorded when the run stops early, and the next start continues from there.
 *
 * @throws GiveUp for a permanent error of the listing; TryLater when the listing requests a pause or the gateway is unavailable;
 * AttemptFailed when another attempt can succeed
 */
export async function syncCatalog(context: SyncCatalogContext, payload: SyncCatalog, job: JobContext): Promise<void> {
  const state = await context.watch.follow(payload, job.signal, (signal) =>
    runSync(context, payload, { ...job, signal }),
  );
  if (state === 'removed') await context.blobs.removeAll(getDatasourceFolder(payload));
}

async function runSync(context: SyncCatalogContext, payload: SyncCatalog, job: JobContext): Promise<void> {
  const checkpoint = await openRun(context, payload);
  const reporter = createRunReporter(context, payload, { starts: job.starts, phase: 'whole' });
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
  const onRetry = (error: TemporaryListingError): void => {
    log.warn({ err: error, datasourceId: payload.datasourceId }, 'the listing did not respond; the request is retried');
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
    if (error instanceof TemporaryListingError) progress.recordPause();
    // Items after the last checkpoint are read again, so a failure to save must not replace the original error.
    await run.saveCheckpoint().catch((err: unknown) => {
      if (!(err instanceof RunNotWanted)) job.log.warn({ err }, 'the checkpoint of a listing could not be saved');
    });
    throw toJobError(error, { pauses: progress.pauses, job, dryRun: payload.dryRun });
  }
}

function toJobError(
  error: unknown,
  run: { readonly pauses: number; readonly job: JobContext; readonly dryRun: boolean },
): unknown {
  if (!(error instanceof TemporaryListingError)) return error;
  const { code, message, retryAfterMs } = error;
  if (retryAfterMs === undefined) return new AttemptFailed(code, message, { cause: error });
  // A dry run saves no checkpoint, so it would start from the beginning after each pause.
  if (run.dryRun || run.pauses > MAX_CONSECUTIVE_PAUSES || run.job.starts > MAX_STARTS)
    return new GiveUp(code, message, { cause: error });
  return new TryLater(retryAfterMs, message, { cause: error, code });
}
