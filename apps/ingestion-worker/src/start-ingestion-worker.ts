import { datasourceStatusQueue } from '@quarry/contracts';
import type { Embedder } from '@quarry/embedder';
import { openEmbedders } from '@quarry/embedder-factory';
import { openRunWatch, openStatuses } from '@quarry/run-reporting';
import { traceCalls, type RunningService } from '@quarry/service-kit';
import { startConsumers } from './consumers.js';
import type { IngestionWorkerContext } from './context.js';
import { removeAbandonedCopies } from './indexing/local-copy.js';
import { openDocumentReader } from '@quarry/document-readers';

/** Starts an ingestion worker, which consumes jobs until it is closed. The caller closes the context. */
export async function startIngestionWorker(context: IngestionWorkerContext): Promise<RunningService> {
  await removeAbandonedCopies();
  const { log, queues, blobs, fragmentStore, settings, gateway, claimTokens, now } = context;
  const reader = traceCalls('reader', openDocumentReader(settings.reading));
  const getEmbedder = openEmbedders(settings.embedding);
  const consumer = startConsumers({
    queues,
    blobs,
    fragmentStore,
    reader,
    getEmbedder: (embedding) => withTracing(getEmbedder(embedding)),
    statuses: openStatuses(queues.producer(datasourceStatusQueue)),
    watch: openRunWatch(gateway, log),
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

function withTracing(embedder: Embedder | undefined): Embedder | undefined {
  return embedder === undefined ? undefined : traceCalls('embedder', embedder);
}
