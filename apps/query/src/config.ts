import {
  parseEnvironment,
  readFragmentsConfig,
  readConfigParts,
  createServiceConfigReader,
  type FragmentsConfig,
  type ServiceConfig,
} from '@quarry/service-kit';
import { IsNotEmpty, IsString } from '@quarry/validation';
import { readQuerySettings, type QuerySettings } from './settings.js';

class Environment {
  /** Shared secret for requests between the services. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_INTERNAL_TOKEN: string;
}

export interface QueryConfig extends ServiceConfig {
  readonly internalToken: string;
  readonly fragments: FragmentsConfig;
  readonly settings: QuerySettings;
}

const DEFAULT_PORT = 3001;

/** Reads the configuration from the environment. @throws ConfigurationError with all problems at once */
export function readConfig(environment: NodeJS.ProcessEnv): QueryConfig {
  const { service, ...parts } = readConfigParts(environment, {
    service: createServiceConfigReader(DEFAULT_PORT),
    internalToken: (variables) => parseEnvironment(Environment, variables).QUARRY_INTERNAL_TOKEN,
    fragments: readFragmentsConfig,
    settings: readQuerySettings,
  });
  return { ...service, ...parts };
}
