import { isCancelled, RunCancelled, whileWanted, type BlobStore, type RunOfDatasource } from '@quarry/blob-store';
import { GiveUp } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue-bullmq';

/** What has been handed over so far stays. @throws GiveUp when nobody wants the run any more */
export async function stopIfCancelled(blobs: BlobStore, run: RunOfDatasource): Promise<void> {
  if (await isCancelled(blobs, run)) throw cancelled(new RunCancelled());
}

/**
 * Runs a job whose signal is also aborted when nobody wants its run any more.
 *
 * @throws GiveUp then, and otherwise what `work` throws
 */
export async function untilCancelled(
  blobs: BlobStore,
  run: RunOfDatasource,
  job: JobContext,
  work: (job: JobContext) => Promise<void>,
): Promise<void> {
  try {
    await whileWanted(blobs, run, job.signal, (signal) => work({ ...job, signal }));
  } catch (error) {
    throw error instanceof RunCancelled ? cancelled(error) : error;
  }
}

function cancelled(cause: RunCancelled): GiveUp {
  return new GiveUp('cancelled', cause.message, { cause });
}
