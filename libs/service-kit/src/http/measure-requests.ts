import type { RequestHandler } from 'express';
import type { Metrics } from '../metrics.js';
import { getRoute } from './get-route.js';

/**
 * Creates a handler that measures the duration of requests by method, route and status. The route is its pattern,
 * without ids.
 */
export function measureRequests(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const stop = metrics.httpDuration.startTimer();
    response.once('close', () => {
      stop({ method: request.method, route: getRoute(request), status: String(response.statusCode) });
    });
    next();
  };
}
