import { RunCancelled, whileWanted, type BlobStore } from '@quarry/blob-store';
import { GiveUp, TryLater, type DatasourceStatusJobs, type SyncCatalog } from '@quarry/contracts';
import type { JobContext, Producer } from '@quarry/queue-bullmq';
import { folderOf, forgetEarlierRuns, runFolder } from '../documents/hand-over.js';
import { ListingAway } from '../listing/listing-failure.js';
import { runReporter } from '../run/run-reporter.js';
import { SyncRun, type SyncRunContext } from '../run/sync-run.js';
import { openLedger } from '../scan/open-ledger.js';
import type { ReadPage } from '../scan/listing-scan.js';
import { stateStore } from '../scan/state-store.js';

export interface SyncCatalogContext extends SyncRunContext {
  readonly blobs: BlobStore;
  readonly status: Producer<DatasourceStatusJobs>;
  /** @throws GiveUp when the job's headers cannot be opened */
  readonly openListing: (job: SyncCatalog, signal: AbortSignal) => ReadPage;
}

/** Without getting any further: a listing that asks for an hour each time is asked for half a day. */
const MOST_WAITS = 12;
const MOST_STARTS = 500;

/**
 * Reads a customer's listing. What has been handed over when it ends early is kept, and the next start goes on from there.
 *
 * @throws GiveUp with a listing's fault and when nobody wants the run any more, TryLater when it asks to be left alone, ListingAway when it may answer on another attempt
 */
export async function syncCatalog(context: SyncCatalogContext, payload: SyncCatalog, job: JobContext): Promise<void> {
  try {
    await whileWanted(context.blobs, payload, job.signal, (signal) => sync(context, payload, { ...job, signal }));
  } catch (error) {
    throw error instanceof RunCancelled ? new GiveUp('cancelled', error.message, { cause: error }) : error;
  }
}

async function sync(context: SyncCatalogContext, payload: SyncCatalog, job: JobContext): Promise<void> {
  const reporter = runReporter(context, payload, job.starts);
  await reporter.running();
  if (!payload.dryRun) await forgetEarlierRuns(context.blobs, payload);
  const leaving = new AbortController();
  const signal = AbortSignal.any([job.signal, leaving.signal]);
  const readPage = context.openListing(payload, signal);
  const store = stateStore(context.blobs, folderOf(payload), runFolder(payload));
  const { ledger, goesOnAfter, end } = await openLedger(store, payload);
  if (end !== undefined) {
    await reporter.enumerated(end);
    return;
  }
  const leave = (): void => {
    leaving.abort();
  };
  const parts = { job: payload, readPage, ledger, goesOnAfter, store, reporter, signal, leave };
  const run = new SyncRun(context, parts);
  try {
    await run.run();
  } catch (error) {
    if (error instanceof ListingAway) ledger.recordWait();
    // What this does not keep is handed over again: no reason to hide why the run ended.
    await run.checkpoint().catch((err: unknown) => {
      job.log.warn({ err }, 'the state of a listing could not be kept');
    });
    throw verdict(error, { waits: ledger.waits, job, dryRun: payload.dryRun });
  }
}

function verdict(
  error: unknown,
  run: { readonly waits: number; readonly job: JobContext; readonly dryRun: boolean },
): unknown {
  if (!(error instanceof ListingAway)) return error;
  const { code, message, retryAfterMs } = error;
  if (retryAfterMs === undefined) return run.job.lastAttempt ? new GiveUp(code, message, { cause: error }) : error;
  // A dry run keeps nothing, so it would begin again after each wait.
  if (run.dryRun || run.waits > MOST_WAITS || run.job.starts > MOST_STARTS)
    return new GiveUp(code, message, { cause: error });
  return new TryLater(retryAfterMs, message, { cause: error });
}
