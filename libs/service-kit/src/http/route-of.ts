import type { Request } from 'express';

/** Returns the pattern of a request's route, such as `/api/agents/:agentId`, never the address with its ids; `none` without a route. */
export function getRoute(request: Request): string {
  const route: unknown = request.route;
  if (typeof route !== 'object' || route === null || !('path' in route)) return 'none';
  const pattern = String(route.path);
  return `${getMount(request, pattern)}${pattern}`;
}

/**
 * Returns the path where the route's router is mounted. Express clears `baseUrl` after a router has passed a request on, so the
 * path is derived from the address.
 */
function getMount({ baseUrl, originalUrl }: Request, pattern: string): string {
  const [path = ''] = originalUrl.split('?');
  return getExpression(pattern).exec(path)?.[1]?.toLowerCase() ?? baseUrl;
}

const expressions = new Map<string, RegExp>();

/** Matches addresses that end in the route. One expression per route is cached. */
function getExpression(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const segments = pattern.split('/').map((segment) => {
    return segment.startsWith(':') ? '[^/]+' : segment.replaceAll(/\W/g, String.raw`\$&`);
  });
  const expression = new RegExp(`^(.*)${segments.join('/')}/?$`, 'i');
  expressions.set(pattern, expression);
  return expression;
}
