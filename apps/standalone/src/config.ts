import { resolve } from 'node:path';
import { BooleanFromText, IntegerFromText, IsIn, IsNotEmpty, IsOptional, IsString, Matches } from '@quarry/validation';
import { LOG_LEVELS, parseEnvironment, parsePostgresAddress, type LogLevel } from '@quarry/service-kit';

/**
 * Declares the environment variables of a standalone Quarry. The query service declares the variables of the model
 * providers.
 */
class Environment {
  @IntegerFromText({ min: 0, max: 65_535 })
  readonly QUARRY_PORT: number = 3000;

  /** The address of this machine on which Quarry listens. `0.0.0.0`: all addresses. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_HOST: string = '127.0.0.1';

  @IsString()
  @IsNotEmpty()
  readonly QUARRY_DATA_DIR: string = './data';

  @IsOptional()
  @Matches(/^[\x21-\x7e]{8,200}$/, { message: 'must have 8 to 200 printable characters and no spaces' })
  readonly QUARRY_ROOT_KEY?: string;

  /** If true, the first start on a data folder creates a sample datastore with Quarry's documentation. */
  @BooleanFromText()
  readonly QUARRY_SAMPLE: boolean = true;

  @IsIn(LOG_LEVELS)
  readonly QUARRY_LOG_LEVEL: LogLevel = 'warn';

  /** The address of a PostgreSQL server to use instead of the embedded one. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// address' })
  readonly DATABASE_URL?: string;

  /** Time in seconds after which Quarry exits if the embedded PostgreSQL has crashed and every restart has failed. */
  @IntegerFromText({ min: 1, max: 86_400 })
  readonly QUARRY_POSTGRES_RESTART_SECONDS: number = 300;

  /** Size of the index cache of the fragment store, in MiB. */
  @IsOptional()
  @IntegerFromText({ min: 16, max: 1_048_576 })
  readonly QUARRY_LANCEDB_CACHE_MB?: number;
}

export interface StandaloneConfig {
  readonly host: string;
  readonly port: number;
  /** Absolute path of the data folder. */
  readonly dataDirectory: string;
  /** Path of the folder for temporary files of this process, its libraries and its child processes. */
  readonly temporaryDirectory: string;
  /** Root key that the environment configures; undefined to use the key stored in the data folder, or a new one. */
  readonly rootKey: string | undefined;
  readonly sample: boolean;
  readonly logLevel: LogLevel;
  /** URL of a PostgreSQL server that Quarry does not start itself; undefined to start and use the embedded one. */
  readonly databaseUrl: string | undefined;
  /**
   * Time in milliseconds after which Quarry exits if the embedded PostgreSQL has crashed and every restart has failed.
   */
  readonly databaseRestartMs: number;
  /** Size of the index cache of the fragment store, in bytes. If undefined, it depends on the memory of the machine. */
  readonly cacheBytes: number | undefined;
  /** All environment variables. Each service reads its own settings from them. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Reads the configuration. @throws ConfigurationError with all problems at once */
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
    databaseUrl: databaseUrl === undefined ? undefined : parsePostgresAddress('DATABASE_URL', databaseUrl),
    databaseRestartMs: variables.QUARRY_POSTGRES_RESTART_SECONDS * 1000,
    cacheBytes: cacheMib === undefined ? undefined : cacheMib * 2 ** 20,
    environment,
  };
}
