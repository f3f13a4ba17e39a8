import { ingestionQueue, pagePictureQueue, type IngestionJobs } from '@quarry/contracts';
import type { Consumer, JobContext, JobFailure, JobRetry, Queues } from '@quarry/queue';
import { createAttemptError, createReasonForUsers, type Reporting } from '@quarry/run-reporting';
import {
  createDocumentReporter,
  runIndexingJob,
  type IndexDocumentParts,
  removeStoredContent,
} from './handlers/run-indexing-job.js';
import { runRenderPageJob, storeFinalRenderingFailure, type RenderPageParts } from './handlers/run-render-page-job.js';
import { removeDatasource, removeDatastore, removeDocument } from './handlers/remove-content.js';

/** Holds the dependencies of the ingestion job handlers. */
export interface WorkerParts extends IndexDocumentParts {
  readonly queues: Queues;
  /** Maximum number of ingestion jobs that run at once. */
  readonly concurrency: number;
}

/** Starts to consume ingestion jobs, which index documents and remove content. */
export function startConsumers(parts: WorkerParts): Consumer {
  return parts.queues.startConsumer(
    ingestionQueue,
    {
      'index-document': (payload, job) => runIndexingJob(parts, payload, job),
      'remove-document': (payload) => removeDocument(parts, payload),
      'remove-datasource': (payload) => removeDatasource(parts, payload),
      'remove-datastore': (payload) => removeDatastore(parts, payload),
    },
    {
      concurrency: parts.concurrency,
      onFailed: (failure, job) => reportFailedDocument(parts, failure, job),
      onRetry: (retry, job) => reportDocumentRetry(parts, retry, job),
    },
  );
}

/** Starts to consume the jobs that render pages of PDFs. @param concurrency maximum number of concurrent jobs */
export function startPagePictureConsumer(
  parts: RenderPageParts & Pick<WorkerParts, 'queues'>,
  concurrency: number,
): Consumer {
  return parts.queues.startConsumer(
    pagePictureQueue,
    { 'render-page': (payload, job) => runRenderPageJob(parts, payload, job) },
    { concurrency, onFailed: (failure, job) => storeFinalRenderingFailure(parts, failure, job) },
  );
}

/** Reports a failed document to its run, after the last attempt of its indexing job has failed. */
async function reportFailedDocument(
  parts: IndexDocumentParts,
  failure: JobFailure<IngestionJobs>,
  job: JobContext,
): Promise<void> {
  const { code, message } = failure.reason;
  job.log.warn({ code }, `an ingestion job failed: ${message}`);
  if (!failure.readable || failure.name !== 'index-document') return;
  // A write that reported an error may still have stored content. If the datasource is deleted, no other job removes
  // this content.
  if ((await parts.watch.readState(failure.payload)) === 'removed') return removeStoredContent(parts, failure.payload);
  await createDocumentReporter(failure.payload, job.starts, parts).reportEnd({
    outcome: 'failed',
    ...createReasonForUsers(failure.reason),
  });
}

async function reportDocumentRetry(
  reporting: Reporting,
  retry: JobRetry<IngestionJobs>,
  job: JobContext,
): Promise<void> {
  if (retry.name !== 'index-document') return;
  await createDocumentReporter(retry.payload, job.starts, reporting).reportRetry(createAttemptError(retry, job));
}
