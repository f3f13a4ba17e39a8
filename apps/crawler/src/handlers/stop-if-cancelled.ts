import { isCancelled, type BlobStore, type RunOfDatasource } from '@quarry/blob-store';
import { GiveUp } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue-bullmq';

/** Waiting for a host may take minutes: a cancelled run ends this soon all the same. */
const LOOK_MS = 1_000;

/** What has been handed over so far stays. @throws GiveUp when nobody wants the run any more */
export async function stopIfCancelled(blobs: BlobStore, run: RunOfDatasource): Promise<void> {
  if (await isCancelled(blobs, run)) throw cancelled();
}

/**
 * Runs a job whose signal is also aborted when nobody wants its run any more.
 *
 * @throws GiveUp then, and otherwise what `work` throws
 */
export async function whileWanted(
  blobs: BlobStore,
  run: RunOfDatasource,
  job: JobContext,
  work: (job: JobContext) => Promise<void>,
): Promise<void> {
  const unwanted = new AbortController();
  const look = async (): Promise<void> => {
    if (await isCancelled(blobs, run)) unwanted.abort();
  };
  const looking = setInterval(() => {
    // A store that does not answer now will be asked again.
    look().catch(() => undefined);
  }, LOOK_MS);
  try {
    await work({ ...job, signal: AbortSignal.any([job.signal, unwanted.signal]) });
  } catch (error) {
    throw unwanted.signal.aborted ? cancelled() : error;
  } finally {
    clearInterval(looking);
  }
}

function cancelled(): GiveUp {
  return new GiveUp('cancelled', 'The run was cancelled.');
}
