import { Router, type Request } from 'express';
import type { DependencyMonitor, DependencyState } from '../dependencies/dependency-monitor.js';
import type { Metrics } from '../metrics.js';
import type { MonitoringAccess } from './monitoring-access.js';
import { Problem } from './problem.js';

/** Defines what the monitoring routes show, and to which requests. */
export interface Monitored {
  readonly dependencies: DependencyMonitor;
  readonly metrics: Metrics;
  readonly admit: MonitoringAccess;
}

/**
 * Serves the monitoring routes. `GET /health/live`: 200 while the process runs. It checks nothing else, so that no
 * dependency restarts a service.
 *
 * `GET /health/ready`: 200 while every required dependency is available, otherwise 503. `Quarry-Degraded` names all that
 * are not. Requests that are admitted receive the details, other ones only the status.
 *
 * `GET /metrics`: Prometheus, for requests that are admitted.
 */
export function createMonitoringRoutes({ dependencies, metrics, admit }: Monitored): Router {
  const router = Router();
  router.get('/health/live', (_request, response) => {
    response.json({ status: 'live' });
  });
  router.get('/health/ready', async (request, response) => {
    const isDetailed = await canReadDetails(admit, request);
    const states = await dependencies.check();
    const unavailable = states.filter(({ error }) => error !== undefined).map(({ dependency }) => dependency);
    const isReady = !unavailable.some(({ required }) => required);
    if (unavailable.length > 0) response.setHeader('Quarry-Degraded', unavailable.map(({ name }) => name).join(', '));
    response.status(isReady ? 200 : 503).json({
      status: isReady ? 'ready' : 'not_ready',
      ...(isDetailed && { dependencies: Object.fromEntries(states.map(getDetails)) }),
    });
  });
  router.get('/metrics', async (request, response) => {
    await admit(request);
    for (const { dependency, error } of await dependencies.check()) {
      metrics.dependencyUp.set({ dependency: dependency.name }, error === undefined ? 1 : 0);
    }
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return router;
}

/**
 * Returns true for requests that may read details. Probes carry no credentials. Given credentials must be valid; when a
 * dependency is unavailable and they cannot be checked, the response has no details.
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

function getDetails({ dependency, error }: DependencyState): readonly [string, object] {
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
