import type { RequestHandler } from 'express';
import type { Metrics } from '../metrics.js';

/** Counts and times each request by method, route and status. The route is the pattern, never the address with its ids. */
export function measureRequests(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const stop = metrics.httpDuration.startTimer();
    response.once('close', () => {
      const route: unknown = request.route;
      const pattern = typeof route === 'object' && route !== null && 'path' in route ? String(route.path) : 'none';
      stop({ method: request.method, route: `${request.baseUrl}${pattern}`, status: String(response.statusCode) });
    });
    next();
  };
}
