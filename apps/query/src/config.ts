import { ConfigurationError, LOG_LEVELS, parseEnvironment, type LogLevel } from '@quarry/service-kit';
import { IntegerFromText, IsIn, IsNotEmpty, IsOptional, IsString } from '@quarry/validation';
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

  /** Where the ingestion worker keeps fragments in LanceDB, on this machine. */
  @IsOptional()
  @IsString()
  readonly QUARRY_LANCEDB_DIR?: string;
}

export interface QueryConfig {
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  readonly internalToken: string;
  readonly fragments: { readonly directory: string };
  readonly settings: QuerySettings;
}

/** @throws ConfigurationError with all problems at once */
export function readConfig(environment: NodeJS.ProcessEnv): QueryConfig {
  const variables = parseEnvironment(Environment, environment);
  if (variables.QUARRY_LANCEDB_DIR === undefined) throw new ConfigurationError(['QUARRY_LANCEDB_DIR is missing']);
  return {
    host: variables.QUARRY_HOST,
    port: variables.QUARRY_PORT,
    logLevel: variables.QUARRY_LOG_LEVEL,
    internalToken: variables.QUARRY_INTERNAL_TOKEN,
    fragments: { directory: variables.QUARRY_LANCEDB_DIR },
    settings: readQuerySettings(environment),
  };
}
