import { datasourceStatusQueue } from '@quarry/contracts';
import { openEmbedders } from '@quarry/embedders';
import type { RunningService } from '@quarry/service-kit';
import { startConsumers } from './consumers.js';
import type { IngestionWorkerContext } from './context.js';
import { documentReader } from './reading/document-reader.js';

/** Starts to take ingestion jobs. What the context holds stays the caller's to close. */
export function startIngestionWorker(context: IngestionWorkerContext): RunningService {
  const { queues, blobs, fragmentStore, settings, claimTokens, now } = context;
  const reader = documentReader(settings.reading);
  const consumer = startConsumers({
    queues,
    blobs,
    fragmentStore,
    reader,
    embedderFor: openEmbedders(settings.embedding),
    statuses: queues.producer(datasourceStatusQueue),
    claimTokens,
    now,
    maxFileBytes: settings.maxFileBytes,
    concurrency: settings.concurrency,
  });
  return {
    close: async (deadlineMs) => {
      await consumer.close(deadlineMs);
      await reader.close();
    },
  };
}
