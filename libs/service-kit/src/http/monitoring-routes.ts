import { Router, type Request } from 'express';
import type { DependencyMonitor, DependencyState } from '../dependencies/dependency-monitor.js';
import type { Metrics } from '../metrics.js';
import type { MonitoringAccess } from './monitoring-access.js';
import { Problem } from './problem.js';

/**
 * Holds the sources of the monitoring routes. `admit` checks whether a request may read metrics and details of
 * readiness.
 */
export interface MonitoringRouteParts {
  readonly dependencies: DependencyMonitor;
  readonly metrics: Metrics;
  readonly admit: MonitoringAccess;
}

/**
 * Creates the monitoring routes. `GET /health/live`: 200 while the process runs. The route checks no dependency,
 * because a restart of the service would not repair a dependency.
 *
 * `GET /health/ready`: 200 while every required dependency is available, otherwise 503. The header `Quarry-Degraded`
 * names each unavailable dependency. Only requests that `admit` accepts receive the details of each dependency.
 *
 * `GET /metrics`: the metrics in the format of Prometheus, for requests that `admit` accepts.
 */
export function createMonitoringRoutes({ dependencies, metrics, admit }: MonitoringRouteParts): Router {
  const router = Router();
  router.get('/health/live', (_request, response) => {
    response.json({ status: 'live' });
  });
  router.get('/health/ready', async (request, response) => {
    const isDetailed = await canReadDetails(admit, request);
    const states = await dependencies.checkDependencies();
    const unavailable = states.filter(({ error }) => error !== undefined).map(({ dependency }) => dependency);
    const isReady = !unavailable.some(({ required }) => required);
    if (unavailable.length > 0) response.setHeader('Quarry-Degraded', unavailable.map(({ name }) => name).join(', '));
    response.status(isReady ? 200 : 503).json({
      status: isReady ? 'ready' : 'not_ready',
      ...(isDetailed && { dependencies: Object.fromEntries(states.map(getDependencyDetails)) }),
    });
  });
  router.get('/metrics', async (request, response) => {
    await admit(request);
    for (const { dependency, error } of await dependencies.checkDependencies()) {
      metrics.dependencyUp.set({ dependency: dependency.name }, error === undefined ? 1 : 0);
    }
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return router;
}

/**
 * Returns true if a request may read the details of readiness. Returns false for a request without credentials, such as
 * a probe, and if the credentials cannot be checked because a dependency is unavailable.
 *
 * @throws Problem if the credentials are wrong
 */
async function canReadDetails(admit: MonitoringAccess, request: Request): Promise<boolean> {
  if (request.get('authorization') === undefined) return false;
  try {
    await admit(request);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.kind.status < 500) throw error;
    return false;
  }
}

/** Returns the name of a dependency, and the details of its state for the response of `GET /health/ready`. */
function getDependencyDetails({ dependency, error }: DependencyState): readonly [string, object] {
  const { name, required, neededBy, delays } = dependency;
  return [
    name,
    {
      available: error === undefined,
      required,
      ...(error !== undefined && { error }),
      neededBy,
      ...(delays !== undefined && { delays }),
    },
  ];
}
