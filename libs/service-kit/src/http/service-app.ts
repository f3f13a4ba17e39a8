import express, { type Express, type RequestHandler, type Router } from 'express';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { Dependency } from '../dependencies/dependency.js';
import { createDependencyMonitor } from '../dependencies/dependency-monitor.js';
import { createRequestMeasuringHandler } from './measure-requests.js';
import type { MonitoringAccess } from './monitoring-access.js';
import { createMonitoringRoutes } from './monitoring-routes.js';
import { respondWithProblem, rejectUnknownRoute } from './problem-handler.js';
import { createRequestScopeHandler } from './request-scope.js';
import type { TrustedProxies } from './trusted-proxies.js';
import { traceRequests } from './trace-requests.js';

export interface ServiceAppParts {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly dependencies: readonly Dependency[];
  /** Throws an error unless a request may read the metrics and the details of readiness. */
  readonly monitoring: MonitoringAccess;
  /** Determines the value of `request.ip`. Absent: the address of the connection. */
  readonly trustedProxies?: TrustedProxies;
  /** Routers and handlers of the service, mounted at the root in this order. */
  readonly routes: readonly (Router | RequestHandler)[];
}

/**
 * Builds the Express app of a service from its routes and the parts that all services have in common. These parts
 * assign request ids, serve health and metrics, record traces, and convert errors to problem+json responses.
 */
export function createServiceApp(parts: ServiceAppParts): Express {
  const { metrics, monitoring: admit } = parts;
  const dependencies = createDependencyMonitor(parts.dependencies);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', parts.trustedProxies ?? false);
  app.use(createRequestScopeHandler(parts.log));
  app.use(createMonitoringRoutes({ dependencies, metrics, admit }));
  app.use(traceRequests);
  app.use(createRequestMeasuringHandler(metrics));
  for (const routes of parts.routes) app.use(routes);
  app.use(rejectUnknownRoute);
  app.use(respondWithProblem);
  return app;
}
