import type { Request } from 'express';

/** The pattern of a request's route, such as `/api/agents/:agentId`, never the address with its ids; `none` where no route took it. */
export function routeOf(request: Request): string {
  const route: unknown = request.route;
  const pattern = typeof route === 'object' && route !== null && 'path' in route ? String(route.path) : 'none';
  return `${request.baseUrl}${pattern}`;
}
