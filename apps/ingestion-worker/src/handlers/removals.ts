import type { BlobStore } from '@quarry/blob-store';
import type { RemoveDatasource, RemoveDatastore, RemoveDocument } from '@quarry/contracts';
import type { FragmentStore } from '@quarry/fragment-store';
import { collectionOf } from '../indexing/index-document.js';

interface RemovalParts {
  readonly fragmentStore: FragmentStore;
  readonly blobs: BlobStore;
}

/** Runs `remove-document`. */
export async function handleRemoveDocument({ fragmentStore }: RemovalParts, job: RemoveDocument): Promise<void> {
  await fragmentStore.removeDocument(collectionOf(job.embedding), job);
}

/** Runs `remove-datasource`. */
export async function handleRemoveDatasource(parts: RemovalParts, job: RemoveDatasource): Promise<void> {
  await parts.fragmentStore.removeDatasource(collectionOf(job.embedding), job);
  await parts.blobs.removeAll(`${job.organizationId}/${job.datastoreId}/${job.datasourceId}/`);
}

/** Runs `remove-datastore`. */
export async function handleRemoveDatastore(parts: RemovalParts, job: RemoveDatastore): Promise<void> {
  await parts.fragmentStore.removeDatastore(collectionOf(job.embedding), job);
  await parts.blobs.removeAll(`${job.organizationId}/${job.datastoreId}/`);
}
