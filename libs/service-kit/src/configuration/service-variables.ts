import { IntegerFromText, IsIn, IsNotEmpty, IsOptional, IsString } from '@quarry/validation';
import { LOG_LEVELS, type LogLevel } from '../log.js';
import { parseEnvironment } from './environment.js';
import type { PartReader } from './read-parts.js';

class Environment {
  /** Of health and metrics; for gateway and query of their own routes too. 0 takes a free one. */
  @IsOptional()
  @IntegerFromText({ min: 0, max: 65_535 })
  readonly QUARRY_PORT?: number;

  /** Which addresses of this machine listen. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_HOST: string = '0.0.0.0';

  @IsIn(LOG_LEVELS)
  readonly QUARRY_LOG_LEVEL: LogLevel = 'info';
}

/** What every service that runs by itself is told. */
export interface ServiceConfig {
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
}

/** @param defaultPort each service has its own, so that all five can run on one machine */
export function serviceConfig(defaultPort: number): PartReader<ServiceConfig> {
  return (environment) => {
    const variables = parseEnvironment(Environment, environment);
    return {
      host: variables.QUARRY_HOST,
      port: variables.QUARRY_PORT ?? defaultPort,
      logLevel: variables.QUARRY_LOG_LEVEL,
    };
  };
}
