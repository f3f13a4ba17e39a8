import { ConfigurationError, LOG_LEVELS, parseEnvironment, type LogLevel } from '@quarry/service-kit';
import { IntegerFromText, IsIn, IsNotEmpty, IsOptional, IsString, IsUrl } from '@quarry/validation';
import { readQuerySettings, type QuerySettings } from './settings.js';

/** The variables of a query service that runs by itself, beside those of `readQuerySettings`. */
class Environment {
  @IntegerFromText({ min: 0, max: 65_535 })
  readonly QUARRY_PORT: number = 3001;

  /** Which addresses of this machine listen. */
  @IsString()
  readonly QUARRY_HOST: string = '0.0.0.0';

  @IsIn(LOG_LEVELS)
  readonly QUARRY_LOG_LEVEL: LogLevel = 'info';

  /** What the services know each other by. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_INTERNAL_TOKEN: string;

  /** Where fragments are: a Qdrant server or cluster… */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QDRANT_URL?: string;

  @IsOptional()
  @IsString()
  readonly QDRANT_API_KEY?: string;

  /** …or the folder on this machine in which the ingestion worker keeps them with LanceDB. */
  @IsOptional()
  @IsString()
  readonly QUARRY_LANCEDB_DIR?: string;
}

export type FragmentsConfig =
  | { readonly kind: 'qdrant'; readonly url: string; readonly apiKey: string | undefined }
  | { readonly kind: 'lancedb'; readonly directory: string };

export interface QueryConfig {
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  readonly internalToken: string;
  readonly fragments: FragmentsConfig;
  readonly settings: QuerySettings;
}

/** @throws ConfigurationError with the problems */
export function readConfig(environment: NodeJS.ProcessEnv): QueryConfig {
  const variables = parseEnvironment(Environment, environment);
  return {
    host: variables.QUARRY_HOST,
    port: variables.QUARRY_PORT,
    logLevel: variables.QUARRY_LOG_LEVEL,
    internalToken: variables.QUARRY_INTERNAL_TOKEN,
    fragments: fragmentsOf(variables),
    settings: readQuerySettings(environment),
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
  throw new ConfigurationError([`QDRANT_URL or QUARRY_LANCEDB_DIR must say where the fragments are, found ${found}`]);
}
