import { readEmbeddingSources, EmbeddingVariables, type EmbeddingSources } from '@quarry/embedder-factory';
import { parseEnvironment, readConfigParts } from '@quarry/service-kit';
import { IntegerFromText } from '@quarry/validation';
import type { ReadingSettings } from '@quarry/document-readers';
import { readOcrSettings, type OcrSettings } from './recognition/ocr-settings.js';

/** Holds the settings of an ingestion worker that runs as a service or inside another process. */
export interface WorkerSettings {
  /** Maximum number of ingestion jobs that run at once, in addition to those that recognize text in images. */
  readonly concurrency: number;
  readonly reading: ReadingSettings;
  /** Maximum size of a document, in bytes. A larger document fails. */
  readonly maxFileBytes: number;
  /** The embedding providers; if undefined, documents of datastores with embeddings fail. */
  readonly embedding: EmbeddingSources | undefined;
  /** Settings of text recognition (OCR). If undefined, the text in images of pages is not read. */
  readonly ocr: OcrSettings | undefined;
}

const GIB = 1_073_741_824;
const MIB = 1_048_576;

/** Declares the environment variables of an ingestion worker with their defaults. */
class WorkerEnvironment extends EmbeddingVariables {
  /**
   * Maximum number of ingestion jobs that run at once. The default is higher than the number of reader processes, so
   * that the processes read documents while other documents are being embedded or wait for a commit of the fragment
   * store.
   */
  @IntegerFromText({ min: 1, max: 1_000 })
  readonly QUARRY_INGESTION_CONCURRENCY: number = 12;

  /** Number of reader processes. Each reads one document at a time. */
  @IntegerFromText({ min: 1, max: 64 })
  readonly QUARRY_READING_PROCESSES: number = 2;

  /** Time limit for reading one document, in seconds. */
  @IntegerFromText({ min: 1, max: 3_600 })
  readonly QUARRY_READING_TIMEOUT_SECONDS: number = 120;

  /** Memory limit of one reader process in megabytes, including memory outside the heap. */
  @IntegerFromText({ min: 128, max: 65_536 })
  readonly QUARRY_READING_MEMORY_MB: number = 1_024;

  /** Maximum size of a document, in bytes. The gateway applies this limit to uploads, the worker to all documents. */
  @IntegerFromText({ min: 1, max: 10 * GIB })
  readonly QUARRY_MAX_FILE_BYTES: number = 100 * MIB;
}

/**
 * Number of documents after which a reader process is replaced. It is high, because a new process reads its first
 * documents slowly.
 */
const DOCUMENTS_PER_PROCESS = 1_000;
/**
 * Time after which an idle reader process ends, in milliseconds. Its end frees about 100 MB of memory. The time is
 * longer than usual pauses between uploads, between pages of a crawl and before retries.
 */
const READER_IDLE_MS = 60_000;
/**
 * Maximum number of characters of a document. Limits the memory of the worker, which holds all fragments and vectors of
 * a document at once.
 */
const MAX_CHARACTERS = 50_000_000;

/**
 * Reads the settings of a worker that runs as a service or inside another process.
 *
 * @throws ConfigurationError with all problems at once
 */
export function readWorkerSettings(environment: NodeJS.ProcessEnv): WorkerSettings {
  const { variables, ocr } = readConfigParts(environment, {
    variables: (found) => parseEnvironment(WorkerEnvironment, found),
    ocr: readOcrSettings,
  });
  return {
    ocr,
    concurrency: variables.QUARRY_INGESTION_CONCURRENCY,
    reading: {
      processes: variables.QUARRY_READING_PROCESSES,
      documentsPerProcess: DOCUMENTS_PER_PROCESS,
      idleMs: READER_IDLE_MS,
      timeoutMs: variables.QUARRY_READING_TIMEOUT_SECONDS * 1_000,
      memoryMb: variables.QUARRY_READING_MEMORY_MB,
      maxCharacters: MAX_CHARACTERS,
    },
    maxFileBytes: variables.QUARRY_MAX_FILE_BYTES,
    embedding: readEmbeddingSources(variables),
  };
}
