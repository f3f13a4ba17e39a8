import { cancelForGood, folderOfDatasource, type BlobStore } from '@quarry/blob-store';
import type { RemoveDatasource, RemoveDatastore, RemoveDocument } from '@quarry/contracts';
import type { FragmentStore } from '@quarry/fragment-store';
import { collectionOf } from '../indexing/index-document.js';
import { forgetVectors } from '../indexing/kept-vectors.js';
import { storedDocument } from '../indexing/stored-document.js';

interface RemovalParts {
  readonly fragmentStore: FragmentStore;
  readonly blobs: BlobStore;
}

/*
 * First all runs are cancelled for good, and blobs go before fragments: what is being fetched or indexed meanwhile sees by the one
 * or the other that it must take back what it stored.
 */

/** Runs `remove-document`. */
export async function handleRemoveDocument({ blobs, fragmentStore }: RemovalParts, job: RemoveDocument): Promise<void> {
  await forgetVectors(blobs, job);
  await fragmentStore.removeDocument(collectionOf(job.embedding), storedDocument(job), job.generation);
}

/** Runs `remove-datasource`. */
export async function handleRemoveDatasource(parts: RemovalParts, job: RemoveDatasource): Promise<void> {
  await cancelForGood(parts.blobs, job);
  await parts.blobs.removeAll(folderOfDatasource(job));
  await parts.fragmentStore.removeDatasource(collectionOf(job.embedding), job);
}

/** Runs `remove-datastore`. */
export async function handleRemoveDatastore(parts: RemovalParts, job: RemoveDatastore): Promise<void> {
  const { organizationId, datastoreId, underWay = [] } = job;
  for (const datasourceId of underWay) await cancelForGood(parts.blobs, { organizationId, datastoreId, datasourceId });
  await parts.blobs.removeAll(`${job.organizationId}/${job.datastoreId}/`);
  await parts.fragmentStore.removeDatastore(collectionOf(job.embedding), job);
}
