import { ConfigurationError, LOG_LEVELS, parseEnvironment, type LogLevel } from '@quarry/service-kit';
import { IntegerFromText, IsIn, IsNotEmpty, IsOptional, IsString, IsUrl, Matches } from '@quarry/validation';
import { readWorkerSettings, type WorkerSettings } from './settings.js';

/** The variables of a worker that runs by itself, beside those of `readWorkerSettings`. */
class Environment {
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

  /** Fragments in LanceDB, in this folder. */
  @IsOptional()
  @IsString()
  readonly QUARRY_LANCEDB_DIR?: string;

  /** Fragments in Qdrant, at this address. */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QUARRY_QDRANT_URL?: string;

  @IsOptional()
  @IsString()
  readonly QUARRY_QDRANT_API_KEY?: string;
}

export type FragmentStoreAddress =
  { readonly directory: string } | { readonly url: string; readonly apiKey: string | undefined };

export interface IngestionWorkerConfig {
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  readonly queueUrl: string;
  readonly blobDirectory: string;
  readonly fragments: FragmentStoreAddress;
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

function fragmentsOf(variables: Environment): FragmentStoreAddress {
  const { QUARRY_QDRANT_URL: url, QUARRY_LANCEDB_DIR: directory } = variables;
  if (url !== undefined) return { url, apiKey: variables.QUARRY_QDRANT_API_KEY };
  if (directory !== undefined) return { directory };
  throw new ConfigurationError(['QUARRY_QDRANT_URL or QUARRY_LANCEDB_DIR has to say where fragments are kept']);
}
