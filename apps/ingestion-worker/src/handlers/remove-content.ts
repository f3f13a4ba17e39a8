import { getDatasourceFolder, type BlobStore } from '@quarry/blob-store';
import type { Removal, RemoveDatasource, RemoveDatastore, RemoveDocument } from '@quarry/contracts';
import { createDocumentRef, type FragmentStore } from '@quarry/fragment-store';
import type { StatusEmitter } from '@quarry/run-reporting';
import { getCollection } from '../indexing/index-document.js';
import { removeCachedVectors } from '../indexing/vector-cache.js';

interface RemovalParts {
  readonly fragmentStore: FragmentStore;
  readonly blobs: BlobStore;
  readonly statuses: Pick<StatusEmitter, 'emitRemovalDone'>;
}

/*
 * An active indexing job can store content after the removal. It then removes this content itself: each job checks the state of
 * its run after storing, and the gateway deletes the rows of a datasource before it enqueues the removal.
 */

/**
 * Runs a `remove-document` job. Removes the fragments and cached vectors of a document. Keeps the fragments if a run of
 * a newer generation than the job's has stored them.
 */
export async function removeDocument(parts: RemovalParts, job: RemoveDocument): Promise<void> {
  await removeCachedVectors(parts.blobs, job);
  await parts.fragmentStore.removeDocument(getCollection(job.embedding), createDocumentRef(job), job.generation);
  await reportRemovalDone(parts, job);
}

/** Runs a `remove-datasource` job. Removes all fragments and blobs of a datasource. */
export async function removeDatasource(parts: RemovalParts, job: RemoveDatasource): Promise<void> {
  await parts.blobs.removeAll(getDatasourceFolder(job));
  await parts.fragmentStore.removeDatasource(getCollection(job.embedding), job);
  await reportRemovalDone(parts, job);
}

/** Runs a `remove-datastore` job. Removes all fragments and blobs of a datastore. */
export async function removeDatastore(parts: RemovalParts, job: RemoveDatastore): Promise<void> {
  await parts.blobs.removeAll(`${job.organizationId}/${job.datastoreId}/`);
  await parts.fragmentStore.removeDatastore(getCollection(job.embedding), job);
  await reportRemovalDone(parts, job);
}

/**
 * Confirms a removal to the gateway. Until the confirmation, the gateway excludes the removed content from searches,
 * and enqueues the removal job again if necessary.
 */
async function reportRemovalDone({ statuses }: RemovalParts, { removalId, attempt = 1 }: Removal): Promise<void> {
  if (removalId !== undefined) await statuses.emitRemovalDone({ removalId, attempt });
}
