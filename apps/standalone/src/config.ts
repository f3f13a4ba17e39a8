import { resolve } from 'node:path';
import { BooleanFromText, IntegerFromText, IsIn, IsNotEmpty, IsOptional, IsString, Matches } from '@quarry/validation';
import { LOG_LEVELS, parseEnvironment, postgresAddress, type LogLevel } from '@quarry/service-kit';

/** The variables of a one-machine Quarry. Those of the model providers are the query service's own. */
class Environment {
  @IntegerFromText({ min: 0, max: 65_535 })
  readonly QUARRY_PORT: number = 3000;

  /** Which addresses of this machine listen; `0.0.0.0` for all. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_HOST: string = '127.0.0.1';

  @IsString()
  @IsNotEmpty()
  readonly QUARRY_DATA_DIR: string = './data';

  @IsOptional()
  @Matches(/^[\x21-\x7e]{8,200}$/, { message: 'must have 8 to 200 printable characters and no spaces' })
  readonly QUARRY_ROOT_KEY?: string;

  /** Whether the first start fills a datastore with Quarry's own documentation. */
  @BooleanFromText()
  readonly QUARRY_SAMPLE: boolean = true;

  @IsIn(LOG_LEVELS)
  readonly QUARRY_LOG_LEVEL: LogLevel = 'warn';

  /** A PostgreSQL to use instead of the embedded one. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// address' })
  readonly DATABASE_URL?: string;

  /** How long restarts of the embedded PostgreSQL may fail, in seconds, before Quarry ends. */
  @IntegerFromText({ min: 1, max: 86_400 })
  readonly QUARRY_POSTGRES_RESTART_SECONDS: number = 300;

  /** How much of the fragments' indexes is kept in memory. */
  @IsOptional()
  @IntegerFromText({ min: 16, max: 1_048_576 })
  readonly QUARRY_LANCEDB_CACHE_MB?: number;
}

export interface StandaloneConfig {
  readonly host: string;
  readonly port: number;
  /** Absolute. */
  readonly dataDirectory: string;
  /** Where this process, its libraries and its child processes put temporary files. */
  readonly temporaryDirectory: string;
  /** Undefined: the one kept in the data folder, or a new one. */
  readonly rootKey: string | undefined;
  readonly sample: boolean;
  readonly logLevel: LogLevel;
  /** Undefined: the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** How long restarts of the embedded PostgreSQL may fail, in milliseconds. */
  readonly databaseRestartMs: number;
  /** Of the fragments' indexes, in bytes. Undefined: as much as suits the machine. */
  readonly cacheBytes: number | undefined;
  /** Passed on to the services, which read their own variables. */
  readonly environment: NodeJS.ProcessEnv;
}

/** @throws ConfigurationError with all problems at once */
export function readConfig(environment: NodeJS.ProcessEnv): StandaloneConfig {
  const variables = parseEnvironment(Environment, environment);
  const { DATABASE_URL: databaseUrl, QUARRY_LANCEDB_CACHE_MB: cacheMib } = variables;
  return {
    host: variables.QUARRY_HOST,
    port: variables.QUARRY_PORT,
    dataDirectory: resolve(variables.QUARRY_DATA_DIR),
    temporaryDirectory: resolve(variables.QUARRY_DATA_DIR, 'tmp'),
    rootKey: variables.QUARRY_ROOT_KEY,
    sample: variables.QUARRY_SAMPLE,
    logLevel: variables.QUARRY_LOG_LEVEL,
    databaseUrl: databaseUrl === undefined ? undefined : postgresAddress('DATABASE_URL', databaseUrl),
    databaseRestartMs: variables.QUARRY_POSTGRES_RESTART_SECONDS * 1000,
    cacheBytes: cacheMib === undefined ? undefined : cacheMib * 2 ** 20,
    environment,
  };
}
