import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BlobNotFound, type BlobStore } from './blob-store.js';
import { folderOfDatasource, type DatasourceIds } from './datasource-folder.js';

/** A run, as every job of it names it. */
export interface RunOfDatasource extends DatasourceIds {
  /** Grows with every run. */
  readonly generation: number;
}

/** No run has it: it stands for all that may still come. */
const REMOVED = 'removed';

/**
 * Lets every service know that this run of a datasource, and those before it, are not wanted any more. The word goes by the
 * blob store, which all of them share: a job that waited for a day still hears it.
 */
export async function cancelRuns(blobs: Pick<BlobStore, 'write'>, run: RunOfDatasource): Promise<void> {
  await blobs.write(stopKeyOf(run), Readable.from([String(run.generation)]));
}

/** The same for all runs of a datasource that is removed. Comes before its blobs go, and stays after they have gone. */
export async function cancelForGood(blobs: Pick<BlobStore, 'write'>, datasource: DatasourceIds): Promise<void> {
  await blobs.write(stopKeyOf(datasource), Readable.from([REMOVED]));
}

/** Whether nobody wants the run any more: what is left of its work need not be done. */
export async function isCancelled(blobs: Pick<BlobStore, 'read'>, run: RunOfDatasource): Promise<boolean> {
  const stop = await readStop(blobs, run);
  return stop === REMOVED || (stop !== undefined && run.generation <= Number(stop));
}

/** Whether the datasource is removed: nothing may be stored for it any more. */
export async function isRemoved(blobs: Pick<BlobStore, 'read'>, datasource: DatasourceIds): Promise<boolean> {
  return (await readStop(blobs, datasource)) === REMOVED;
}

/**
 * Does work that stores blobs of a datasource. When it was removed meanwhile, they are removed once more: what was stored after
 * the removal had passed goes with the work that stored it.
 */
export async function leaveNothingBehind(
  blobs: BlobStore,
  datasource: DatasourceIds,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } finally {
    if (await isRemoved(blobs, datasource)) await blobs.removeAll(folderOfDatasource(datasource));
  }
}

/** Beside the datasource's folder, because it outlives that. */
export function stopKeyOf({ organizationId, datasourceId }: Omit<DatasourceIds, 'datastoreId'>): string {
  return `${organizationId}/stops/${datasourceId}`;
}

async function readStop(blobs: Pick<BlobStore, 'read'>, datasource: DatasourceIds): Promise<string | undefined> {
  try {
    return await text(await blobs.read(stopKeyOf(datasource)));
  } catch (error) {
    if (error instanceof BlobNotFound) return undefined;
    throw error;
  }
}
