import type { Request } from 'express';

/**
 * Returns the pattern of the route that matched a request, such as `/api/agents/:agentId`. Returns `none` if no route
 * matched.
 */
export function getRoutePattern(request: Request): string {
  const route: unknown = request.route;
  if (typeof route !== 'object' || route === null || !('path' in route)) return 'none';
  const pattern = String(route.path);
  return `${getMountPath(request, pattern)}${pattern}`;
}

/**
 * Returns the path at which the router of the matched route is mounted. Derives it from the URL of the request, because
 * Express clears `baseUrl` when the router calls `next`.
 */
function getMountPath({ baseUrl, originalUrl }: Request, pattern: string): string {
  const [path = ''] = originalUrl.split('?');
  return buildRouteExpression(pattern).exec(path)?.[1]?.toLowerCase() ?? baseUrl;
}

const expressions = new Map<string, RegExp>();

/**
 * Returns a regular expression for URL paths. Its first group matches the part before `pattern`, which is the mount
 * path of the router. Regular expressions are cached.
 */
function buildRouteExpression(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const segments = pattern.split('/').map((segment) => {
    return segment.startsWith(':') ? '[^/]+' : segment.replaceAll(/\W/g, String.raw`\$&`);
  });
  const expression = new RegExp(`^(.*)${segments.join('/')}/?$`, 'i');
  expressions.set(pattern, expression);
  return expression;
}
