import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Holds the metrics that a service exports at `/metrics`. A service adds its own metrics to `registry`. */
export interface Metrics {
  readonly registry: Registry;
  /** Histogram of the seconds from the arrival of a request to the end of its response. */
  readonly httpDuration: Histogram<'method' | 'route' | 'status'>;
  /**
   * Contains 1 for an available dependency, 0 for an unavailable one. `GET /metrics` checks the dependencies and sets
   * this gauge.
   */
  readonly dependencyUp: Gauge<'dependency'>;
}

/**
 * Creates the metrics of a service.
 *
 * @param options.process true: adds metrics of the process, such as its use of memory. If several services share a
 * process, set it for only one of them.
 */
export function createMetrics(service: string, options: { readonly process: boolean }): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (options.process) collectDefaultMetrics({ register: registry });
  const httpDuration = new Histogram({
    name: 'quarry_http_request_duration_seconds',
    help: 'Seconds from a request’s arrival to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const dependencyUp = new Gauge({
    name: 'quarry_dependency_up',
    help: 'Availability of a dependency of the service: 1 if it is available, otherwise 0.',
    labelNames: ['dependency'],
    registers: [registry],
  });
  return { registry, httpDuration, dependencyUp };
}
