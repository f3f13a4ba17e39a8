import type { GatewayAddress } from '@quarry/run-reporting';
import {
  parseEnvironment,
  readBlobConfig,
  readFragmentsConfig,
  readParts,
  readQueueUrl,
  serviceConfig,
  type BlobConfig,
  type FragmentsConfig,
  type ServiceConfig,
} from '@quarry/service-kit';
import { IsNotEmpty, IsString, IsUrl } from '@quarry/validation';
import { readWorkerSettings, type WorkerSettings } from './settings.js';

export interface IngestionWorkerConfig extends ServiceConfig {
  readonly queueUrl: string;
  readonly blobs: BlobConfig;
  readonly fragments: FragmentsConfig;
  readonly gateway: GatewayAddress;
  readonly settings: WorkerSettings;
}

/** How the gateway is asked, beside the variables of `readWorkerSettings`. */
class Environment {
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QUARRY_GATEWAY_URL: string;

  /** What the services know each other by. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_INTERNAL_TOKEN: string;
}

const DEFAULT_PORT = 3002;

/** @throws ConfigurationError with all problems at once */
export function readConfig(environment: NodeJS.ProcessEnv): IngestionWorkerConfig {
  const { service, variables, ...parts } = readParts(environment, {
    service: serviceConfig(DEFAULT_PORT),
    queueUrl: readQueueUrl,
    blobs: readBlobConfig,
    fragments: readFragmentsConfig,
    variables: (given) => parseEnvironment(Environment, given),
    settings: readWorkerSettings,
  });
  const gateway = { url: variables.QUARRY_GATEWAY_URL, token: variables.QUARRY_INTERNAL_TOKEN };
  return { ...service, ...parts, gateway };
}
