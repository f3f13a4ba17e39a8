import { readGatewayAddress, type GatewayAddress } from '@quarry/run-reporting';
import {
  readBlobConfig,
  readFragmentsConfig,
  readConfigParts,
  readQueueUrl,
  createServiceConfigReader,
  type BlobConfig,
  type FragmentsConfig,
  type ServiceConfig,
} from '@quarry/service-kit';
import { readWorkerSettings, type WorkerSettings } from './settings.js';

export interface IngestionWorkerConfig extends ServiceConfig {
  readonly queueUrl: string;
  readonly blobs: BlobConfig;
  readonly fragments: FragmentsConfig;
  readonly gateway: GatewayAddress;
  readonly settings: WorkerSettings;
}

const DEFAULT_PORT = 3002;

/**
 * Reads the configuration of a standalone worker process from environment variables. @throws ConfigurationError with
 * all problems at once
 */
export function readConfig(environment: NodeJS.ProcessEnv): IngestionWorkerConfig {
  const { service, ...parts } = readConfigParts(environment, {
    service: createServiceConfigReader(DEFAULT_PORT),
    queueUrl: readQueueUrl,
    blobs: readBlobConfig,
    fragments: readFragmentsConfig,
    gateway: readGatewayAddress,
    settings: readWorkerSettings,
  });
  return { ...service, ...parts };
}
