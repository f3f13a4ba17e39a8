import { Readable } from 'node:stream';
import type { BlobStore } from '@quarry/blob-store';
import type { SyncCatalog } from '@quarry/contracts';

/** Returns the prefix of the blob keys of a datasource, with a slash at the end. */
export function getDatasourceFolder({ organizationId, datastoreId, datasourceId }: SyncCatalog): string {
  return `${organizationId}/${datastoreId}/${datasourceId}/`;
}

/** Returns the prefix of the blob keys of a run, with a slash at the end. The next run removes these blobs. */
export function getRunFolder(job: SyncCatalog): string {
  return `${getRunsFolder(job)}${job.generation}/`;
}

function getRunsFolder(job: SyncCatalog): string {
  return `${getDatasourceFolder(job)}runs/`;
}

/**
 * Removes the blobs of earlier runs of the datasource. No job needs them, because this run stores unindexed documents again.
 */
export async function removeEarlierRuns(blobs: BlobStore, job: SyncCatalog): Promise<void> {
  const runs = getRunsFolder(job);
  const folders = new Set<string>();
  for await (const key of blobs.list(runs)) folders.add(key.slice(runs.length).split('/', 1).join());
  // A superseded run can start after the run that replaced it, so newer folders stay. Older versions used names that are not
  // numbers.
  for (const folder of folders) if (!(Number(folder) >= job.generation)) await blobs.removeAll(`${runs}${folder}/`);
}

/**
 * Stores the keys of all documents that a dry run found, as a JSON blob. The gateway reads and removes it.
 *
 * @returns its blob key
 */
export async function storeKeys(blobs: BlobStore, job: SyncCatalog, keys: ReadonlySet<string>): Promise<string> {
  const blobKey = `${getRunFolder(job)}seen`;
  await blobs.write(blobKey, Readable.from([JSON.stringify([...keys])]));
  return blobKey;
}
