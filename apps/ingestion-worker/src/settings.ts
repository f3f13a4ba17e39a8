import { readEmbeddingSources, EmbeddingVariables, type EmbeddingSources } from '@quarry/embedder-factory';
import { parseEnvironment } from '@quarry/service-kit';
import { IntegerFromText } from '@quarry/validation';
import type { ReadingSettings } from '@quarry/document-readers';

/** Settings of a worker in any process. */
export interface WorkerSettings {
  /** Maximum number of concurrent jobs. */
  readonly concurrency: number;
  readonly reading: ReadingSettings;
  /** A document with more bytes fails. */
  readonly maxFileBytes: number;
  /** If undefined, documents of datastores with embeddings fail. */
  readonly embedding: EmbeddingSources | undefined;
}

const GIB = 1_073_741_824;
const MIB = 1_048_576;

/** Environment variables with their defaults. */
class WorkerEnvironment extends EmbeddingVariables {
  /** Higher than the number of reader processes, so that other documents are embedded and stored meanwhile. */
  @IntegerFromText({ min: 1, max: 1_000 })
  readonly QUARRY_INGESTION_CONCURRENCY: number = 8;

  /** Number of reader processes. Each reads one document at a time. */
  @IntegerFromText({ min: 1, max: 64 })
  readonly QUARRY_READING_PROCESSES: number = 2;

  /** Per document. */
  @IntegerFromText({ min: 1, max: 3_600 })
  readonly QUARRY_READING_TIMEOUT_SECONDS: number = 120;

  /** Per reader process, including memory outside the heap. */
  @IntegerFromText({ min: 128, max: 65_536 })
  readonly QUARRY_READING_MEMORY_MB: number = 1_024;

  /** The gateway applies this limit to uploads; the worker applies it to all documents. */
  @IntegerFromText({ min: 1, max: 10 * GIB })
  readonly QUARRY_MAX_FILE_BYTES: number = 100 * MIB;
}

/** High, because a new process reads its first documents much more slowly. */
const DOCUMENTS_PER_PROCESS = 1_000;
/** Limits memory: all fragments of a document are held with their vectors. */
const MAX_CHARACTERS = 50_000_000;

/** Reads the settings that are the same in every process. @throws ConfigurationError with all problems */
export function readWorkerSettings(environment: NodeJS.ProcessEnv): WorkerSettings {
  const variables = parseEnvironment(WorkerEnvironment, environment);
  return {
    concurrency: variables.QUARRY_INGESTION_CONCURRENCY,
    reading: {
      processes: variables.QUARRY_READING_PROCESSES,
      documentsPerProcess: DOCUMENTS_PER_PROCESS,
      timeoutMs: variables.QUARRY_READING_TIMEOUT_SECONDS * 1_000,
      memoryMb: variables.QUARRY_READING_MEMORY_MB,
      maxCharacters: MAX_CHARACTERS,
    },
    maxFileBytes: variables.QUARRY_MAX_FILE_BYTES,
    embedding: readEmbeddingSources(variables),
  };
}
