import { cancelForGood, folderOfDatasource, type BlobStore } from '@quarry/blob-store';
import type { Removal, RemoveDatasource, RemoveDatastore, RemoveDocument } from '@quarry/contracts';
import { storedDocument, type FragmentStore } from '@quarry/fragment-store';
import type { Statuses } from '@quarry/run-reporting';
import { collectionOf } from '../indexing/index-document.js';
import { forgetVectors } from '../indexing/kept-vectors.js';

interface RemovalParts {
  readonly fragmentStore: FragmentStore;
  readonly blobs: BlobStore;
  readonly statuses: Pick<Statuses, 'removalDone'>;
}

/*
 * First all runs are cancelled for good, and blobs go before fragments: what is being fetched or indexed meanwhile sees by the one
 * or the other that it must take back what it stored.
 */

/** Runs `remove-document`. */
export async function handleRemoveDocument(parts: RemovalParts, job: RemoveDocument): Promise<void> {
  await forgetVectors(parts.blobs, job);
  await parts.fragmentStore.removeDocument(collectionOf(job.embedding), storedDocument(job), job.generation);
  await confirm(parts, job);
}

/** Runs `remove-datasource`. */
export async function handleRemoveDatasource(parts: RemovalParts, job: RemoveDatasource): Promise<void> {
  await cancelForGood(parts.blobs, job);
  await parts.blobs.removeAll(folderOfDatasource(job));
  await parts.fragmentStore.removeDatasource(collectionOf(job.embedding), job);
  await confirm(parts, job);
}

/** Runs `remove-datastore`. */
export async function handleRemoveDatastore(parts: RemovalParts, job: RemoveDatastore): Promise<void> {
  const { organizationId, datastoreId, underWay = [] } = job;
  for (const datasourceId of underWay) await cancelForGood(parts.blobs, { organizationId, datastoreId, datasourceId });
  await parts.blobs.removeAll(`${job.organizationId}/${job.datastoreId}/`);
  await parts.fragmentStore.removeDatastore(collectionOf(job.embedding), job);
  await confirm(parts, job);
}

/** Until then searches exclude what is removed, and the gateway repeats the job. */
async function confirm({ statuses }: RemovalParts, { removalId, attempt = 1 }: Removal): Promise<void> {
  if (removalId !== undefined) await statuses.removalDone({ removalId, attempt });
}
