import { isCancelled } from '@quarry/blob-store';
import type { IndexDocument } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue-bullmq';
import { indexDocument, type IndexingParts } from '../indexing/index-document.js';
import { reportOn, type Reporting } from '../reporting/run-report.js';

/** Runs `index-document`. That it failed for good is told by the consumer's hook, which sees every way to fail. */
export async function handleIndexDocument(
  parts: IndexingParts & Reporting,
  payload: IndexDocument,
  job: JobContext,
): Promise<void> {
  const report = reportOn(payload, job.starts, parts);
  if (await isCancelled(parts.blobs, payload)) {
    await report.settled({ outcome: 'failed', code: 'cancelled', message: 'The run was cancelled.' });
    return;
  }
  report.started();
  const { outcome, fragments, tokens } = await indexDocument(parts, payload, {
    signal: job.signal,
    lastAttempt: job.lastAttempt,
    onProgress: (stage, progress) => {
      report.progressed(stage, progress);
    },
  });
  await report.settled({ outcome, fragments, storedTokens: tokens });
}
