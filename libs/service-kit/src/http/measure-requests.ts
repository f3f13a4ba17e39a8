import type { RequestHandler } from 'express';
import type { Metrics } from '../metrics.js';
import { getRoutePattern } from './get-route-pattern.js';

/**
 * Creates a handler that measures the duration of requests by method, route pattern and response status. Uses the route
 * pattern instead of the path, because a pattern contains no ids.
 */
export function createRequestMeasuringHandler(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const stop = metrics.httpDuration.startTimer();
    response.once('close', () => {
      stop({ method: request.method, route: getRoutePattern(request), status: String(response.statusCode) });
    });
    next();
  };
}
