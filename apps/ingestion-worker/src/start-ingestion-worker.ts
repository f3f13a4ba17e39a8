import { datasourceStatusQueue } from '@quarry/contracts';
import type { Embedder } from '@quarry/embedder';
import { openEmbedders } from '@quarry/embedder-factory';
import { openRunWatch, openStatuses } from '@quarry/run-reporting';
import { traceCalls, type RunningService } from '@quarry/service-kit';
import { startConsumers } from './consumers.js';
import type { IngestionWorkerContext } from './context.js';
import { removeAbandonedCopies } from './indexing/local-copy.js';
import { openDocumentReader, type ReadingSettings } from '@quarry/document-readers';
import { createRecognizer, type OcrSettings } from './recognition/ocr-settings.js';
import { countRecognizedAtOnce, openPageRecognition, type PageRecognition } from './recognition/page-recognition.js';

/** Starts an ingestion worker, which consumes jobs until it is closed. The caller closes the context. */
export async function startIngestionWorker(context: IngestionWorkerContext): Promise<RunningService> {
  await removeAbandonedCopies();
  const { log, queues, blobs, fragmentStore, settings, gateway, claimTokens, now } = context;
  const reader = traceCalls('reader', openDocumentReader(settings.reading));
  const recognition = settings.ocr && openRecognition(settings.ocr, settings.reading, now);
  const getEmbedder = openEmbedders(settings.embedding);
  const consumer = startConsumers({
    queues,
    blobs,
    fragmentStore,
    reader,
    recognition,
    getEmbedder: (embedding) => withTracing(getEmbedder(embedding)),
    statuses: openStatuses(queues.producer(datasourceStatusQueue)),
    watch: openRunWatch(gateway, log),
    claimTokens,
    now,
    maxFileBytes: settings.maxFileBytes,
    // Scans occupy jobs of their own, so that they do not delay other documents.
    concurrency: settings.concurrency + (settings.ocr ? countRecognizedAtOnce(settings.ocr.concurrency) : 0),
  });
  return {
    close: async (deadlineMs) => {
      await consumer.close(deadlineMs);
      await reader.close();
      await recognition?.close();
    },
  };
}

/** Opens text recognition with reader processes of its own, so that scans do not delay other documents. */
function openRecognition(ocr: OcrSettings, reading: ReadingSettings, now: () => Date): PageRecognition {
  const { concurrency } = ocr;
  return openPageRecognition({
    ...{ concurrency, now },
    recognizer: traceCalls('recognizer', createRecognizer(ocr)),
    reader: traceCalls('recognition-reader', openDocumentReader({ ...reading, processes: concurrency })),
  });
}

function withTracing(embedder: Embedder | undefined): Embedder | undefined {
  return embedder === undefined ? undefined : traceCalls('embedder', embedder);
}
