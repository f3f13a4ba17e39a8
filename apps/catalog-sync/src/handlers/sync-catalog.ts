import { type BlobStore, getDatasourceFolder } from '@quarry/blob-store';
import type { SyncCatalog } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue';
import { RunNotWanted, createRunReporter, type Reporting, type RunWatch } from '@quarry/run-reporting';
import { computeHeadersTimeout, decideRetryOrGiveUp } from '../run/retry-or-give-up.js';
import { removeBlobsOfEarlierRuns } from '../run/run-documents.js';
import { TemporaryListingError, type ReadPage } from '@quarry/item-listing';
import { isRunCheckpoint, type RunCheckpoint } from '../run/run-checkpoint.js';
import { SyncProgress } from '../run/sync-progress.js';
import { SyncRun, type SyncRunContext } from '../run/sync-run.js';

export interface SyncCatalogContext extends SyncRunContext, Reporting {
  readonly blobs: BlobStore;
  readonly watch: RunWatch;
  /**
   * Returns a function that requests the pages of a job's listing. @throws GiveUp when the headers of the listing
   * cannot be decrypted
   */
  readonly openListing: (job: SyncCatalog, request: ListingRequest) => ReadPage;
}

/** Holds the abort signal and the time limit of the requests that one start of a job sends to its listing. */
export interface ListingRequest {
  readonly signal: AbortSignal;
  /** Maximum time between a request and the headers of its response, in milliseconds. */
  readonly headersMs: number;
}

/**
 * Reads a customer's listing until its end, or until the run is cancelled or superseded. When the run stops early, the
 * recorded documents remain, and the next start of the job continues after them. The first failed request ends this
 * start of the job, so that the worker does not wait for an unavailable listing.
 *
 * @throws GiveUp for a permanent error of the listing, or after too many failures without progress
 * @throws TryLater when a request fails, the listing requests a pause or the gateway is unavailable
 * @throws AttemptFailed when a request of a dry run fails
 */
export async function syncCatalog(context: SyncCatalogContext, payload: SyncCatalog, job: JobContext): Promise<void> {
  const state = await context.watch.runWhileWanted(payload, job.signal, (signal) =>
    runSyncAttempt(context, payload, { ...job, signal }),
  );
  if (state === 'removed') await context.blobs.removeAll(getDatasourceFolder(payload));
}

async function runSyncAttempt(context: SyncCatalogContext, payload: SyncCatalog, job: JobContext): Promise<void> {
  const checkpoint = await openRunAndReadCheckpoint(context, payload);
  const reporter = createRunReporter(context, payload, { starts: job.starts, phase: 'whole' });
  reporter.reportStart();
  try {
    if (!payload.dryRun) await removeBlobsOfEarlierRuns(context.blobs, payload);
    const progress = new SyncProgress(payload, checkpoint);
    const reading = new AbortController();
    const signal = AbortSignal.any([job.signal, reading.signal]);
    const failures = payload.dryRun ? job.attempt - 1 : progress.failureCount;
    const headersMs = computeHeadersTimeout(progress.slowestSeconds, failures);
    const readPage = withResponseTimes(
      context,
      openListingUntilAborted(context, payload, { signal, headersMs }),
      progress,
    );
    const abortReading = (): void => {
      reading.abort();
    };
    const run = new SyncRun(context, { job: payload, readPage, checkpoint, progress, reporter, abortReading });
    await runSyncOrThrowJobError(run, progress, { payload, job, now: context.now });
  } finally {
    reporter.cancelDelayedEvents();
  }
}

async function openRunAndReadCheckpoint(
  { gateway }: SyncCatalogContext,
  run: SyncCatalog,
): Promise<RunCheckpoint | undefined> {
  const { state, checkpoint } = await gateway.openRun({ datasourceId: run.datasourceId, runId: run.runId });
  if (state !== 'wanted') throw new RunNotWanted(state);
  return isRunCheckpoint(checkpoint) && !run.dryRun ? checkpoint : undefined;
}

function openListingUntilAborted(context: SyncCatalogContext, payload: SyncCatalog, request: ListingRequest): ReadPage {
  const readPage = context.openListing(payload, request);
  return async (query) => {
    request.signal.throwIfAborted();
    return readPage(query);
  };
}

/** Returns a page reader that also records in `progress` the duration of each response. */
function withResponseTimes(
  { now }: Pick<SyncCatalogContext, 'now'>,
  readPage: ReadPage,
  progress: SyncProgress,
): ReadPage {
  return async (query) => {
    const begun = now().getTime();
    const page = await readPage(query);
    progress.recordResponse(now().getTime() - begun);
    return page;
  };
}

interface SyncAttempt {
  readonly payload: SyncCatalog;
  readonly job: JobContext;
  readonly now: () => Date;
}

async function runSyncOrThrowJobError(run: SyncRun, progress: SyncProgress, attempt: SyncAttempt): Promise<void> {
  try {
    await run.runToEnd();
  } catch (error) {
    if (error instanceof RunNotWanted) throw error;
    const failedAt = attempt.now().getTime();
    if (error instanceof TemporaryListingError) recordListingError(progress, error, failedAt);
    // A failure to save the checkpoint must not replace the original error: its only effect is that items are read
    // again.
    await run.saveCheckpoint().catch((err: unknown) => {
      if (!(err instanceof RunNotWanted))
        attempt.job.log.warn(
          { err },
          'failed to save the checkpoint of a sync; the next attempt reads the items after the last checkpoint again',
        );
    });
    if (!(error instanceof TemporaryListingError)) throw error;
    const start = { isDryRun: attempt.payload.dryRun, starts: attempt.job.starts };
    throw decideRetryOrGiveUp(error, progress, start, failedAt);
  }
}

function recordListingError(progress: SyncProgress, { retryAfterMs }: TemporaryListingError, now: number): void {
  if (retryAfterMs === undefined) progress.recordFailure(now);
  else progress.recordPause();
}
