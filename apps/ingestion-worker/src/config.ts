import { ConfigurationError, LOG_LEVELS, parseEnvironment, type LogLevel } from '@quarry/service-kit';
import { IntegerFromText, IsIn, IsNotEmpty, IsOptional, IsString, IsUrl, Matches } from '@quarry/validation';
import { readWorkerSettings, WorkerEnvironment, type WorkerSettings } from './settings.js';

/** The variables of a worker that runs by itself. */
class Environment extends WorkerEnvironment {
  /** Of health and metrics. */
  @IntegerFromText({ min: 0, max: 65_535 })
  readonly QUARRY_PORT: number = 3002;

  @IsString()
  @IsNotEmpty()
  readonly QUARRY_HOST: string = '0.0.0.0';

  @IsIn(LOG_LEVELS)
  readonly QUARRY_LOG_LEVEL: LogLevel = 'info';

  @Matches(/^(rediss?|postgres(ql)?):\/\//, { message: 'must be a redis:// or postgres:// address' })
  readonly QUARRY_QUEUE_URL: string;

  /** The folder of the blob store, which all services share. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_BLOB_DIR: string;

  /** Where fragments are kept: a Qdrant server or cluster… */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QDRANT_URL?: string;

  @IsOptional()
  @IsString()
  readonly QDRANT_API_KEY?: string;

  /** …or a folder on this machine, with LanceDB. No other worker may write into it. */
  @IsOptional()
  @IsString()
  readonly QUARRY_LANCEDB_DIR?: string;
}

export type FragmentsConfig =
  | { readonly kind: 'qdrant'; readonly url: string; readonly apiKey: string | undefined }
  | { readonly kind: 'lancedb'; readonly directory: string };

export interface IngestionWorkerConfig {
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  readonly queueUrl: string;
  readonly blobDirectory: string;
  readonly fragments: FragmentsConfig;
  readonly settings: WorkerSettings;
}

/** @throws ConfigurationError with all problems at once */
export function readConfig(environment: NodeJS.ProcessEnv): IngestionWorkerConfig {
  const variables = parseEnvironment(Environment, environment);
  return {
    host: variables.QUARRY_HOST,
    port: variables.QUARRY_PORT,
    logLevel: variables.QUARRY_LOG_LEVEL,
    queueUrl: variables.QUARRY_QUEUE_URL,
    blobDirectory: variables.QUARRY_BLOB_DIR,
    fragments: fragmentsOf(variables),
    settings: readWorkerSettings(environment),
  };
}

function fragmentsOf({
  QDRANT_URL: url,
  QDRANT_API_KEY: apiKey,
  QUARRY_LANCEDB_DIR: directory,
}: Environment): FragmentsConfig {
  if (url !== undefined && directory === undefined) return { kind: 'qdrant', url, apiKey };
  if (directory !== undefined && url === undefined) return { kind: 'lancedb', directory };
  const found = url === undefined ? 'neither' : 'both';
  throw new ConfigurationError([`QDRANT_URL or QUARRY_LANCEDB_DIR must say where fragments are kept, found ${found}`]);
}
