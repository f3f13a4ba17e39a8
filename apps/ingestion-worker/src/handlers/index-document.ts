import { isCancelled } from '@quarry/blob-store';
import type { IndexDocument } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue-bullmq';
import type { Reporting } from '@quarry/run-reporting';
import { indexDocument, type IndexingParts } from '../indexing/index-document.js';
import { documentReporter } from '../reporting/document-reporter.js';

/** Runs `index-document`. That it failed for good is told by the consumer's hook, which sees every way to fail. */
export async function handleIndexDocument(
  parts: IndexingParts & Reporting,
  payload: IndexDocument,
  job: JobContext,
): Promise<void> {
  const reporter = documentReporter(payload, job.starts, parts);
  if (await isCancelled(parts.blobs, payload)) {
    await reporter.settled({ outcome: 'failed', code: 'cancelled', message: 'The run was cancelled.' });
    return;
  }
  reporter.started();
  const { outcome, fragments, tokens } = await indexDocument(parts, payload, {
    signal: job.signal,
    lastAttempt: job.lastAttempt,
    log: job.log,
    onProgress: (stage, progress) => {
      reporter.progressed(stage, progress);
    },
  });
  await reporter.settled({ outcome, fragments, storedTokens: tokens });
}
