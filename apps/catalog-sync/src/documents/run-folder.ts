import { Readable } from 'node:stream';
import type { BlobStore } from '@quarry/blob-store';
import type { SyncCatalog } from '@quarry/contracts';

/** Returns the folder of a datasource in the blob store, with a slash at its end. */
export function datasourceFolder({ organizationId, datastoreId, datasourceId }: SyncCatalog): string {
  return `${organizationId}/${datastoreId}/${datasourceId}/`;
}

/** Returns the folder of a run, which is removed when the next run starts. */
export function runFolder(job: SyncCatalog): string {
  return `${runsFolder(job)}${job.generation}/`;
}

function runsFolder(job: SyncCatalog): string {
  return `${datasourceFolder(job)}runs/`;
}

/**
 * Removes the blobs of earlier runs. What ingestion has not read of them belongs to runs that have ended, so this run stores it
 * again.
 */
export async function removeEarlierRuns(blobs: BlobStore, job: SyncCatalog): Promise<void> {
  const runs = runsFolder(job);
  const folders = new Set<string>();
  for await (const key of blobs.list(runs)) folders.add(key.slice(runs.length).split('/', 1).join());
  // A run that was superseded may start after the one that replaced it. A name that is no number is of an older version.
  for (const folder of folders) if (!(Number(folder) >= job.generation)) await blobs.removeAll(`${runs}${folder}/`);
}

/** Stores the keys of everything that a dry run has read, for the gateway to read and remove. @returns the blob's key */
export async function storeKeys(blobs: BlobStore, job: SyncCatalog, keys: ReadonlySet<string>): Promise<string> {
  const blobKey = `${runFolder(job)}seen`;
  await blobs.write(blobKey, Readable.from([JSON.stringify([...keys])]));
  return blobKey;
}
