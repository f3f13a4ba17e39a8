import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BlobNotFound, type BlobStore } from './blob-store.js';

/** A run, as every job of it names it. */
export interface RunOfDatasource {
  readonly organizationId: string;
  readonly datastoreId: string;
  readonly datasourceId: string;
  /** Grows with every run. */
  readonly generation: number;
}

/**
 * Lets every service know that this run of a datasource, and those before it, are not wanted any more. The word goes by the
 * blob store, which all of them share, and is kept until the datasource is removed: a job that waited for a day still hears it.
 */
export async function cancelRuns(blobs: Pick<BlobStore, 'write'>, run: RunOfDatasource): Promise<void> {
  await blobs.write(keyOf(run), Readable.from([String(run.generation)]));
}

/** Whether nobody wants the run any more: what is left of its work need not be done. */
export async function isCancelled(blobs: Pick<BlobStore, 'read'>, run: RunOfDatasource): Promise<boolean> {
  try {
    return run.generation <= Number(await text(await blobs.read(keyOf(run))));
  } catch (error) {
    if (error instanceof BlobNotFound) return false;
    throw error;
  }
}

function keyOf({ organizationId, datastoreId, datasourceId }: RunOfDatasource): string {
  return `${organizationId}/${datastoreId}/${datasourceId}/cancelled`;
}
