import { VERSION } from '@quarry/contracts';
import { readGatewayAddress, type GatewayAddress } from '@quarry/run-reporting';
import {
  ConfigurationError,
  parseEnvironment,
  readBlobConfig,
  readConfigParts,
  readQueueUrl,
  readEncryptionKeys,
  createServiceConfigReader,
  type BlobConfig,
  type ServiceConfig,
} from '@quarry/service-kit';
import { BooleanFromText, IntegerFromText, IsOptional, Matches } from '@quarry/validation';

/** Declares the environment variables that control how listings are read. */
class CatalogEnvironment {
  /**
   * Contact of the operator of this service: a URL or an email address, sent to listings in the `User-Agent` header.
   */
  @IsOptional()
  @Matches(/^[\x21-\x7e]{1,200}$/, { message: 'must be a URL or an email address without spaces' })
  readonly QUARRY_CATALOG_CONTACT?: string;

  /** Maximum number of listings that are read at the same time. */
  @IntegerFromText({ min: 1, max: 1_000 })
  readonly QUARRY_CATALOG_CONCURRENCY: number = 4;

  /** Allows listings at 127.0.0.1, for tests and local development. Rejected when NODE_ENV is `production`. */
  @BooleanFromText()
  readonly QUARRY_CATALOG_ALLOW_LOOPBACK: boolean = false;
}

/** Holds the settings that control how listings are read. */
export interface CatalogSettings {
  /** Value of the `User-Agent` header in requests to listings, such as `QuarryCatalog/1.2.0 (+https://example.com)`. */
  readonly userAgent: string;
  /** Maximum number of listings that are read at the same time. */
  readonly concurrency: number;
  readonly allowLoopback: boolean;
}

export interface CatalogSyncConfig extends ServiceConfig {
  readonly queueUrl: string;
  readonly blobs: BlobConfig;
  readonly encryptionKeys: readonly Uint8Array[];
  readonly gateway: GatewayAddress;
  readonly catalog: CatalogSettings;
}

const DEFAULT_PORT = 3004;

/** Reads the configuration of the service. @throws ConfigurationError with all problems at once */
export function readConfig(environment: NodeJS.ProcessEnv): CatalogSyncConfig {
  const { service, ...parts } = readConfigParts(environment, {
    service: createServiceConfigReader(DEFAULT_PORT),
    queueUrl: readQueueUrl,
    blobs: readBlobConfig,
    encryptionKeys: readEncryptionKeys,
    gateway: readGatewayAddress,
    catalog: readCatalogSettings,
  });
  return { ...service, ...parts };
}

/**
 * Reads the settings that control how listings are read. A process that embeds the catalogue synchronisation needs only
 * these settings.
 *
 * @throws ConfigurationError with all problems at once
 */
export function readCatalogSettings(environment: NodeJS.ProcessEnv): CatalogSettings {
  const variables = parseEnvironment(CatalogEnvironment, environment);
  const allowLoopback = variables.QUARRY_CATALOG_ALLOW_LOOPBACK;
  if (allowLoopback && environment['NODE_ENV'] === 'production') {
    throw new ConfigurationError(['QUARRY_CATALOG_ALLOW_LOOPBACK must not be true when NODE_ENV is production']);
  }
  const contact = variables.QUARRY_CATALOG_CONTACT;
  return {
    userAgent: `QuarryCatalog/${VERSION}${contact === undefined ? '' : ` (+${contact})`}`,
    concurrency: variables.QUARRY_CATALOG_CONCURRENCY,
    allowLoopback,
  };
}
