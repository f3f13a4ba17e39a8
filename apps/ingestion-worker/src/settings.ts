import { readEmbeddingSources, EmbeddingVariables, type EmbeddingSources } from '@quarry/embedder-factory';
import { parseEnvironment } from '@quarry/service-kit';
import { IntegerFromText } from '@quarry/validation';
import type { ReadingSettings } from '@quarry/document-readers';

/** How a worker behaves, wherever it runs. */
export interface WorkerSettings {
  /** Jobs at the same time. */
  readonly concurrency: number;
  readonly reading: ReadingSettings;
  /** A document with more bytes is refused. */
  readonly maxFileBytes: number;
  /** Undefined: datastores that are embedded cannot be filled. */
  readonly embedding: EmbeddingSources | undefined;
}

const GIB = 1_073_741_824;
const MIB = 1_048_576;

/** The variables that have defaults. */
class WorkerEnvironment extends EmbeddingVariables {
  /** More than are read at once: meanwhile others are embedded and stored. */
  @IntegerFromText({ min: 1, max: 1_000 })
  readonly QUARRY_INGESTION_CONCURRENCY: number = 8;

  /** Documents that are read at the same time, each in a process of its own. */
  @IntegerFromText({ min: 1, max: 64 })
  readonly QUARRY_READING_PROCESSES: number = 2;

  /** For one document. */
  @IntegerFromText({ min: 1, max: 3_600 })
  readonly QUARRY_READING_TIMEOUT_SECONDS: number = 120;

  /** For one document, all memory counted. */
  @IntegerFromText({ min: 128, max: 65_536 })
  readonly QUARRY_READING_MEMORY_MB: number = 1_024;

  /** The gateway's limit for uploads; here it holds for what comes by other ways too. */
  @IntegerFromText({ min: 1, max: 10 * GIB })
  readonly QUARRY_MAX_FILE_BYTES: number = 100 * MIB;
}

/** A process that has just started reads its first documents several times slower than later ones. */
const DOCUMENTS_PER_PROCESS = 1_000;
/** All fragments of a document are held in memory, with their vectors. */
const MAX_CHARACTERS = 50_000_000;

/**
 * What of the environment says how to work: all that a worker inside another process needs.
 *
 * @throws ConfigurationError with all problems at once
 */
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
