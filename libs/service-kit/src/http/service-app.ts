import express, { type Express, type RequestHandler, type Router } from 'express';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import { health, type ReadinessChecks } from './health.js';
import { measureRequests } from './measure-requests.js';
import { answerProblems, nothingHere } from './problem-handler.js';
import { openRequest } from './request-scope.js';
import type { TrustedProxies } from './trusted-proxies.js';
import { traceRequests } from '../tracing/trace-requests.js';

export interface ServiceAppParts {
  readonly log: Log;
  readonly metrics: Metrics;
  /** What must answer before the service is ready. */
  readonly readiness: ReadinessChecks;
  /** Decides which address `request.ip` is. Absent: that of the connection. */
  readonly trustedProxies?: TrustedProxies;
  /** Mounted in this order, at the root. */
  readonly routes: readonly (Router | RequestHandler)[];
}

/** An Express app with what every service has: request ids, health, metrics, traces, and one form of refusal. */
export function serviceApp(parts: ServiceAppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', parts.trustedProxies ?? false);
  app.use(openRequest(parts.log));
  app.use(health(parts.readiness, parts.metrics));
  app.use(traceRequests);
  app.use(measureRequests(parts.metrics));
  for (const routes of parts.routes) app.use(routes);
  app.use(nothingHere);
  app.use(answerProblems);
  return app;
}
