import { LOG_LEVELS, parseEnvironment, type LogLevel } from '@quarry/service-kit';
import { IntegerFromText, IsIn, IsNotEmpty, IsOptional, IsString, IsUrl, Matches } from '@quarry/validation';
import { readSettings, type GatewaySettings } from './settings.js';

/** The variables of a gateway that runs by itself, beside those of `readSettings`. */
class Environment {
  @IntegerFromText({ min: 0, max: 65_535 })
  readonly QUARRY_PORT: number = 3000;

  /** Which addresses of this machine listen. */
  @IsString()
  readonly QUARRY_HOST: string = '0.0.0.0';

  @IsIn(LOG_LEVELS)
  readonly QUARRY_LOG_LEVEL: LogLevel = 'info';

  @Matches(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// address' })
  readonly DATABASE_URL: string;

  @IntegerFromText({ min: 2, max: 500 })
  readonly QUARRY_DATABASE_CONNECTIONS: number = 10;

  @Matches(/^(rediss?|postgres(ql)?):\/\//, { message: 'must be a redis:// or postgres:// address' })
  readonly QUARRY_QUEUE_URL: string;

  /** Shared with the services that read what was uploaded. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_BLOB_DIR: string;

  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QUARRY_QUERY_URL: string;

  /** What the services know each other by. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_INTERNAL_TOKEN: string;

  /** The key that holds every scope of the default organization. Absent: the one that was set before stays. */
  @IsOptional()
  @IsString()
  readonly QUARRY_ROOT_KEY?: string;
}

export interface GatewayConfig {
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  readonly database: { readonly url: string; readonly connections: number };
  readonly queueUrl: string;
  readonly blobDirectory: string;
  readonly queryService: { readonly url: string; readonly token: string };
  readonly rootKey: string | undefined;
  readonly settings: GatewaySettings;
}

/** @throws ConfigurationError with all problems at once */
export function readConfig(environment: NodeJS.ProcessEnv): GatewayConfig {
  const variables = parseEnvironment(Environment, environment);
  return {
    host: variables.QUARRY_HOST,
    port: variables.QUARRY_PORT,
    logLevel: variables.QUARRY_LOG_LEVEL,
    database: { url: variables.DATABASE_URL, connections: variables.QUARRY_DATABASE_CONNECTIONS },
    queueUrl: variables.QUARRY_QUEUE_URL,
    blobDirectory: variables.QUARRY_BLOB_DIR,
    queryService: { url: variables.QUARRY_QUERY_URL, token: variables.QUARRY_INTERNAL_TOKEN },
    rootKey: variables.QUARRY_ROOT_KEY,
    settings: readSettings(environment),
  };
}
