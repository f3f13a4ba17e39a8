import type { BlobStore } from '@quarry/blob-store';
import type { RemoveDatasource, RemoveDatastore, RemoveDocument } from '@quarry/contracts';
import type { FragmentStore } from '@quarry/fragment-store';
import { collectionOf } from '../indexing/index-document.js';
import { forgetVectors } from '../indexing/kept-vectors.js';

interface RemovalParts {
  readonly fragmentStore: FragmentStore;
  readonly blobs: BlobStore;
}

/*
 * Blobs go before fragments: a document that is being indexed meanwhile sees by its blob that it must take back what it stored.
 */

/** Runs `remove-document`. */
export async function handleRemoveDocument({ blobs, fragmentStore }: RemovalParts, job: RemoveDocument): Promise<void> {
  await forgetVectors(blobs, job);
  await fragmentStore.removeDocument(collectionOf(job.embedding), job);
}

/** Runs `remove-datasource`. */
export async function handleRemoveDatasource(parts: RemovalParts, job: RemoveDatasource): Promise<void> {
  await parts.blobs.removeAll(`${job.organizationId}/${job.datastoreId}/${job.datasourceId}/`);
  await parts.fragmentStore.removeDatasource(collectionOf(job.embedding), job);
}

/** Runs `remove-datastore`. */
export async function handleRemoveDatastore(parts: RemovalParts, job: RemoveDatastore): Promise<void> {
  await parts.blobs.removeAll(`${job.organizationId}/${job.datastoreId}/`);
  await parts.fragmentStore.removeDatastore(collectionOf(job.embedding), job);
}
