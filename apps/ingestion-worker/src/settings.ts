import { parseEnvironment } from '@quarry/service-kit';
import { IntegerFromText, IsOptional, IsString, IsUrl } from '@quarry/validation';
import type { EmbeddingAddress } from './open-embedders.js';
import type { ReadingSettings } from './reading/document-reader.js';

/** How a worker behaves, wherever it runs. */
export interface WorkerSettings {
  /** Jobs at the same time. */
  readonly concurrency: number;
  readonly reading: ReadingSettings;
  /** Undefined: datastores that are embedded cannot be filled. */
  readonly embedding: EmbeddingAddress | undefined;
}

/** The variables that have defaults. */
class Environment {
  @IntegerFromText({ min: 1, max: 1_000 })
  readonly QUARRY_INGESTION_CONCURRENCY: number = 4;

  /** Documents that are read at the same time, each in a process of its own. */
  @IntegerFromText({ min: 1, max: 64 })
  readonly QUARRY_READING_PROCESSES: number = 2;

  /** For one document. */
  @IntegerFromText({ min: 1, max: 3_600 })
  readonly QUARRY_READING_TIMEOUT_SECONDS: number = 120;

  /** For one document, all memory counted. */
  @IntegerFromText({ min: 128, max: 65_536 })
  readonly QUARRY_READING_MEMORY_MB: number = 1_024;

  /** The OpenAI-compatible address that embeds fragments, up to and with `/v1`. */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QUARRY_EMBEDDING_BASE_URL?: string;

  @IsOptional()
  @IsString()
  readonly QUARRY_EMBEDDING_API_KEY?: string;

  @IsOptional()
  @IsString()
  readonly QUARRY_EMBEDDING_DOCUMENT_PREFIX?: string;
}

const DOCUMENTS_PER_PROCESS = 100;
const MAX_CHARACTERS = 200_000_000;

/** @throws ConfigurationError with all problems at once */
export function readWorkerSettings(environment: NodeJS.ProcessEnv): WorkerSettings {
  const variables = parseEnvironment(Environment, environment);
  const baseUrl = variables.QUARRY_EMBEDDING_BASE_URL;
  const apiKey = variables.QUARRY_EMBEDDING_API_KEY;
  const documentPrefix = variables.QUARRY_EMBEDDING_DOCUMENT_PREFIX;
  return {
    concurrency: variables.QUARRY_INGESTION_CONCURRENCY,
    reading: {
      processes: variables.QUARRY_READING_PROCESSES,
      documentsPerProcess: DOCUMENTS_PER_PROCESS,
      timeoutMs: variables.QUARRY_READING_TIMEOUT_SECONDS * 1_000,
      memoryMb: variables.QUARRY_READING_MEMORY_MB,
      maxCharacters: MAX_CHARACTERS,
    },
    embedding: baseUrl === undefined ? undefined : { baseUrl, apiKey, documentPrefix },
  };
}
