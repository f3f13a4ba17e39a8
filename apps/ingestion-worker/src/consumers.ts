import { ingestionQueue, type IngestionJobs, reasonCodeOf } from '@quarry/contracts';
import type { Consumer, JobContext, JobFailure, Queues } from '@quarry/queue-bullmq';
import type { Reporting } from '@quarry/run-reporting';
import { handleIndexDocument } from './handlers/index-document.js';
import { handleRemoveDatasource, handleRemoveDatastore, handleRemoveDocument } from './handlers/removals.js';
import type { IndexingParts } from './indexing/index-document.js';
import { documentReporter } from './reporting/document-reporter.js';

export interface WorkerParts extends IndexingParts, Reporting {
  readonly queues: Queues;
  /** Jobs at the same time. */
  readonly concurrency: number;
}

/** Starts to take ingestion jobs. */
export function startConsumers(parts: WorkerParts): Consumer {
  return parts.queues.consumer(
    ingestionQueue,
    {
      'index-document': (payload, job) => handleIndexDocument(parts, payload, job),
      'remove-document': (payload) => handleRemoveDocument(parts, payload),
      'remove-datasource': (payload) => handleRemoveDatasource(parts, payload),
      'remove-datastore': (payload) => handleRemoveDatastore(parts, payload),
    },
    { concurrency: parts.concurrency, onFailed: (failure, job) => tellFailure(parts, failure, job) },
  );
}

/** A document that failed for good settles its run, or its place in the run. */
async function tellFailure(reporting: Reporting, failure: JobFailure<IngestionJobs>, job: JobContext): Promise<void> {
  const { code, message } = failure.reason;
  job.log.warn({ code }, `ingestion failed: ${message}`);
  if (!failure.readable || failure.name !== 'index-document') return;
  await documentReporter(failure.payload, job.starts, reporting).settled({
    outcome: 'failed',
    code: reasonCodeOf(code),
    message,
  });
}
