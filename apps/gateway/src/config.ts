import {
  parseEnvironment,
  parsePostgresAddress,
  readBlobConfig,
  readConfigParts,
  readQueueUrl,
  readEncryptionKeys,
  createServiceConfigReader,
  type BlobConfig,
  type ServiceConfig,
} from '@quarry/service-kit';
import { IntegerFromText, IsNotEmpty, IsOptional, IsString, IsUrl, Matches } from '@quarry/validation';
import { VALID_ROOT_KEY } from './keys/root-key.js';
import { readSettings, type GatewaySettings } from './settings.js';

/** The environment variables of a gateway that runs as a process of its own. `readSettings` reads further variables. */
class Environment {
  @Matches(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// address' })
  readonly DATABASE_URL: string;

  @IntegerFromText({ min: 2, max: 500 })
  readonly QUARRY_DATABASE_CONNECTIONS: number = 10;

  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QUARRY_QUERY_URL: string;

  /** The secret token with which the services of the installation authenticate each other. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_INTERNAL_TOKEN: string;

  /**
   * The root key: an API key with every scope in the default organization. Absent: a previously set root key stays
   * valid.
   */
  @IsOptional()
  @Matches(VALID_ROOT_KEY, { message: 'must have 8 to 200 printable characters and no spaces' })
  readonly QUARRY_ROOT_KEY?: string;
}

export interface GatewayConfig extends ServiceConfig {
  readonly database: { readonly url: string; readonly connections: number };
  readonly queueUrl: string;
  readonly blobs: BlobConfig;
  readonly queryService: { readonly url: string; readonly token: string };
  readonly encryptionKeys: readonly Uint8Array[];
  readonly rootKey: string | undefined;
  readonly settings: GatewaySettings;
}

const DEFAULT_PORT = 3000;

function readDatabaseSettings(environment: NodeJS.ProcessEnv): GatewayConfig['database'] {
  const { DATABASE_URL: url, QUARRY_DATABASE_CONNECTIONS: connections } = parseEnvironment(Environment, environment);
  return { url: parsePostgresAddress('DATABASE_URL', url), connections };
}

/** Reads the configuration of a gateway. @throws ConfigurationError with all problems at once */
export function readConfig(environment: NodeJS.ProcessEnv): GatewayConfig {
  const { service, variables, ...parts } = readConfigParts(environment, {
    service: createServiceConfigReader(DEFAULT_PORT),
    variables: (source) => parseEnvironment(Environment, source),
    database: readDatabaseSettings,
    queueUrl: readQueueUrl,
    blobs: readBlobConfig,
    encryptionKeys: readEncryptionKeys,
    settings: readSettings,
  });
  return {
    ...service,
    ...parts,
    queryService: { url: variables.QUARRY_QUERY_URL, token: variables.QUARRY_INTERNAL_TOKEN },
    rootKey: variables.QUARRY_ROOT_KEY,
  };
}
