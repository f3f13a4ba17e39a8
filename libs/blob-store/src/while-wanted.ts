import type { BlobStore } from './blob-store.js';
import { isCancelled, type RunOfDatasource } from './run-cancellation.js';

/** Others may take minutes to answer: what is done for a cancelled run ends this soon all the same. */
const LOOK_MS = 1_000;

/** What was done for a run ended because nobody wants the run any more. */
export class RunCancelled extends Error {
  constructor() {
    super('The run was cancelled.');
    this.name = 'RunCancelled';
  }
}

/**
 * Does work for a run, whose signal is also aborted when nobody wants the run any more.
 *
 * @throws RunCancelled then, and otherwise what `work` throws
 */
export async function whileWanted(
  blobs: Pick<BlobStore, 'read'>,
  run: RunOfDatasource,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (await isCancelled(blobs, run)) throw new RunCancelled();
  const unwanted = new AbortController();
  const look = async (): Promise<void> => {
    if (await isCancelled(blobs, run)) unwanted.abort();
  };
  const looking = setInterval(() => {
    // A store that does not answer now will be asked again.
    look().catch(() => undefined);
  }, LOOK_MS);
  try {
    await work(AbortSignal.any([signal, unwanted.signal]));
  } catch (error) {
    throw unwanted.signal.aborted ? new RunCancelled() : error;
  } finally {
    clearInterval(looking);
  }
}
