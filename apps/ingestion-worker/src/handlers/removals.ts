import { folderOfDatasource, type BlobStore } from '@quarry/blob-store';
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
 * What a job under way stores after the removal has run, that job removes: the rows of the datasources are gone before their
 * removal is enqueued, and each job asks for the state of its run after it has stored something.
 */

/** Runs `remove-document`. */
export async function handleRemoveDocument(parts: RemovalParts, job: RemoveDocument): Promise<void> {
  await forgetVectors(parts.blobs, job);
  await parts.fragmentStore.removeDocument(collectionOf(job.embedding), storedDocument(job), job.generation);
  await confirm(parts, job);
}

/** Runs `remove-datasource`. */
export async function handleRemoveDatasource(parts: RemovalParts, job: RemoveDatasource): Promise<void> {
  await parts.blobs.removeAll(folderOfDatasource(job));
  await parts.fragmentStore.removeDatasource(collectionOf(job.embedding), job);
  await confirm(parts, job);
}

/** Runs `remove-datastore`. */
export async function handleRemoveDatastore(parts: RemovalParts, job: RemoveDatastore): Promise<void> {
  await parts.blobs.removeAll(`${job.organizationId}/${job.datastoreId}/`);
  await parts.fragmentStore.removeDatastore(collectionOf(job.embedding), job);
  await confirm(parts, job);
}

/** Ends the exclusion of the content from searches. Until then the gateway repeats the job. */
async function confirm({ statuses }: RemovalParts, { removalId, attempt = 1 }: Removal): Promise<void> {
  if (removalId !== undefined) await statuses.removalDone({ removalId, attempt });
}
