import { isCancelled, type BlobStore, type RunOfDatasource } from '@quarry/blob-store';
import { GiveUp } from '@quarry/contracts';

/** What has been handed over so far stays. @throws GiveUp when nobody wants the run any more */
export async function stopIfCancelled(blobs: BlobStore, run: RunOfDatasource): Promise<void> {
  if (await isCancelled(blobs, run)) throw new GiveUp('cancelled', 'The run was cancelled.');
}
