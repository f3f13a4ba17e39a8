import { datasourceStatusQueue } from '@quarry/contracts';
import type { Embedder } from '@quarry/embedder';
import { createEmbedderOpener } from '@quarry/embedder-factory';
import { openRunWatch, createStatusEmitter } from '@quarry/run-reporting';
import { traceCalls, type RunningService } from '@quarry/service-kit';
import { startConsumers, startPagePictureConsumer } from './consumers.js';
import type { IngestionWorkerContext } from './context.js';
import { removeAbandonedCopies } from './indexing/local-copy.js';
import { openDocumentReader, type ReadingSettings } from '@quarry/document-readers';
import { createRecognizer, type OcrSettings } from './recognition/ocr-settings.js';
import {
  computeMaxRecognizedDocuments,
  openPageRecognition,
  type PageRecognition,
} from './recognition/page-recognition.js';

/**
 * Starts an ingestion worker, which consumes jobs until it is closed. The caller closes the context after the worker.
 */
export async function startIngestionWorker(context: IngestionWorkerContext): Promise<RunningService> {
  await removeAbandonedCopies();
  const { log, queues, blobs, fragmentStore, settings, gateway, claimTokens, now } = context;
  const reader = traceCalls('reader', openDocumentReader(settings.reading));
  const recognition = settings.ocr && openTracedRecognition(settings.ocr, settings.reading, now);
  const getEmbedder = createEmbedderOpener(settings.embedding);
  const consumer = startConsumers({
    queues,
    blobs,
    fragmentStore,
    reader,
    recognition,
    getEmbedder: (embedding) => withEmbedderTracing(getEmbedder(embedding)),
    statuses: createStatusEmitter(queues.createProducer(datasourceStatusQueue)),
    watch: openRunWatch(gateway, log),
    claimTokens,
    now,
    maxFileBytes: settings.maxFileBytes,
    // The additional jobs are for documents that are being recognized, so that these do not delay other documents.
    concurrency: settings.concurrency + (settings.ocr ? computeMaxRecognizedDocuments(settings.ocr.concurrency) : 0),
  });
  const pictureReader = traceCalls('picture-reader', openDocumentReader(getPictureReadingLimits(settings.reading)));
  const { maxFileBytes } = settings;
  const pictures = startPagePictureConsumer(
    { queues, blobs, reader: pictureReader, maxFileBytes, now },
    MAX_CONCURRENT_PICTURES,
  );
  return {
    close: async (deadlineMs) => {
      await Promise.all([consumer.close(deadlineMs), pictures.close(deadlineMs)]);
      await pictureReader.close();
      await reader.close();
      await recognition?.close();
    },
  };
}

/** Maximum number of pages that are rendered at once. Each organization may use at most half of this number. */
const MAX_CONCURRENT_PICTURES = 2;
/**
 * Time limit for rendering one page, in milliseconds. It is shorter than the limit for documents, because a person
 * waits for the picture.
 */
const MAX_PICTURE_MS = 10_000;
const MAX_PICTURE_MEMORY_MB = 512;

/**
 * Returns the limits of the reader processes that only render pages. They are separate from those that read documents,
 * so that pages and documents do not wait for each other.
 */
function getPictureReadingLimits(reading: ReadingSettings): ReadingSettings {
  return {
    ...reading,
    processes: MAX_CONCURRENT_PICTURES,
    timeoutMs: Math.min(reading.timeoutMs, MAX_PICTURE_MS),
    memoryMb: Math.min(reading.memoryMb, MAX_PICTURE_MEMORY_MB),
  };
}

/**
 * Opens text recognition with tracing, and with reader processes of its own, so that scans do not delay other
 * documents.
 */
function openTracedRecognition(ocr: OcrSettings, reading: ReadingSettings, now: () => Date): PageRecognition {
  const { concurrency } = ocr;
  return openPageRecognition({
    ...{ concurrency, now },
    getRecognizer: (languages) => traceCalls('recognizer', createRecognizer(ocr, languages)),
    reader: traceCalls('recognition-reader', openDocumentReader({ ...reading, processes: concurrency })),
  });
}

function withEmbedderTracing(embedder: Embedder | undefined): Embedder | undefined {
  return embedder === undefined ? undefined : traceCalls('embedder', embedder);
}
