import { Readable } from 'node:stream';
import type { BlobStore } from '@quarry/blob-store';
import type { SyncCatalog } from '@quarry/contracts';

/** Returns the key prefix of a datasource in the blob store, ending with a slash. */
export function datasourceFolder({ organizationId, datastoreId, datasourceId }: SyncCatalog): string {
  return `${organizationId}/${datastoreId}/${datasourceId}/`;
}

/** Returns the key prefix of a run. The next run removes its blobs. */
export function runFolder(job: SyncCatalog): string {
  return `${runsFolder(job)}${job.generation}/`;
}

function runsFolder(job: SyncCatalog): string {
  return `${datasourceFolder(job)}runs/`;
}

/** Removes the blobs of earlier runs. Those runs have ended, so this run stores again whatever ingestion has not read. */
export async function removeEarlierRuns(blobs: BlobStore, job: SyncCatalog): Promise<void> {
  const runs = runsFolder(job);
  const folders = new Set<string>();
  for await (const key of blobs.list(runs)) folders.add(key.slice(runs.length).split('/', 1).join());
  // A superseded run can start after the run that replaced it, so newer folders stay. Older versions used names that are not
  // numbers.
  for (const folder of folders) if (!(Number(folder) >= job.generation)) await blobs.removeAll(`${runs}${folder}/`);
}

/** Stores the document keys that a dry run has read. The gateway reads and removes the blob. @returns the key of the blob */
export async function storeKeys(blobs: BlobStore, job: SyncCatalog, keys: ReadonlySet<string>): Promise<string> {
  const blobKey = `${runFolder(job)}seen`;
  await blobs.write(blobKey, Readable.from([JSON.stringify([...keys])]));
  return blobKey;
}
