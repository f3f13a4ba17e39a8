import { IntegerFromText, IsIn, IsNotEmpty, IsOptional, IsString, IsUrl, Matches } from '@quarry/validation';
import { LOG_LEVELS, type LogLevel } from '../log.js';
import type { RequestTimeouts } from './request-timeouts.js';
import type { TracingConfig } from '../tracing/start-span-export.js';
import { parseEnvironment } from './environment.js';
import type { PartReader } from './read-config-parts.js';
import { readRequestTimeouts } from './timeout-variables.js';

class Environment {
  /**
   * Port on which the service listens for HTTP requests. Only the gateway and the query service accept requests other
   * than those for health and metrics. 0: any free port.
   */
  @IsOptional()
  @IntegerFromText({ min: 0, max: 65_535 })
  readonly QUARRY_PORT?: number;

  /** Address on which the service listens. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_HOST: string = '0.0.0.0';

  @IsIn(LOG_LEVELS)
  readonly QUARRY_LOG_LEVEL: LogLevel = 'info';

  /**
   * Address of an OpenTelemetry collector that accepts OTLP over HTTP. The variable OTEL_EXPORTER_OTLP_HEADERS contains
   * the headers of requests to the collector. Absent: no traces.
   */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** Share of requests that are traced, in [0, 1]. */
  @Matches(/^(0(\.\d+)?|1(\.0+)?)$/, { message: 'must be a number from 0 to 1' })
  readonly OTEL_TRACES_SAMPLER_ARG: string = '1';
}

class MonitoringEnvironment {
  /**
   * Token that gives access to the metrics and to the details of readiness. Absent: only the gateway gives this access,
   * to API keys with the scope `operate`.
   */
  @IsOptional()
  @Matches(/^[\x21-\x7e]{16,200}$/, { message: 'must have 16 to 200 printable characters and no spaces' })
  readonly QUARRY_METRICS_TOKEN?: string;
}

/** Reads the metrics token. @returns undefined if no token is set */
export function readMetricsToken(environment: NodeJS.ProcessEnv): string | undefined {
  return parseEnvironment(MonitoringEnvironment, environment).QUARRY_METRICS_TOKEN;
}

/** Describes the configuration of every service that runs in its own process. */
export interface ServiceConfig {
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  readonly timeouts: RequestTimeouts;
  /** Bearer token that gives access to the metrics. Undefined: no token is set. */
  readonly metricsToken: string | undefined;
  /** Settings of tracing. Undefined: the service records no traces. */
  readonly tracing: TracingConfig | undefined;
}

/**
 * Creates a reader of the service configuration.
 *
 * @param defaultPort port of the service if QUARRY_PORT is not set. It differs between the five services, so that all
 * of them can run on one machine.
 */
export function createServiceConfigReader(defaultPort: number): PartReader<ServiceConfig> {
  return (environment) => {
    const variables = parseEnvironment(Environment, environment);
    return {
      host: variables.QUARRY_HOST,
      port: variables.QUARRY_PORT ?? defaultPort,
      logLevel: variables.QUARRY_LOG_LEVEL,
      timeouts: readRequestTimeouts(environment),
      metricsToken: readMetricsToken(environment),
      tracing: createTracingConfig(variables),
    };
  };
}

function createTracingConfig(variables: Environment): TracingConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = variables;
  return endpoint === undefined ? undefined : { endpoint, share: Number(share) };
}
