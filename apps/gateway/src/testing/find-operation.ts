import type { Response } from 'supertest';
import { ROUTES } from '../openapi/documented-routes.js';
import type { RouteDescription } from '../http/declaration.js';
import { expectDocumented } from './expect-documented.js';
import { expectOpenAiResponse } from './expect-openai-response.js';

interface RoutePattern {
  readonly operation: RouteDescription;
  readonly expression: RegExp;
}

/**
 * The path patterns of all routes. Paths with fewer parameters come first: in `/datastores/upsert/x`, `upsert` is not
 * an id.
 */
const ROUTE_PATTERNS: readonly RoutePattern[] = ROUTES.flatMap((operation) =>
  (operation.servers ?? ['/api']).map((server) => {
    const path = `${server === '/' ? '' : server}${operation.path}`;
    return { operation, expression: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i') };
  }),
).toSorted((left, right) => left.operation.path.split('{').length - right.operation.path.split('{').length);

/** Returns the documented operation for a method and the path of a request, or undefined if there is none. */
export function findOperation(method: string, path: string): RouteDescription | undefined {
  return ROUTE_PATTERNS.find(
    ({ operation, expression }) => operation.method === method.toLowerCase() && expression.test(path),
  )?.operation;
}

/**
 * Fails unless a response of the gateway conforms to the OpenAPI document. A response to an unknown path must contain
 * problem details.
 */
export function expectAnyDocumentedResponse(response: Response): void {
  const { method, url } = response.request as unknown as { readonly method: string; readonly url: string }; // superagent's
  const path = getDocumentPath(url);
  if (method === 'HEAD' || method === 'OPTIONS' || path.startsWith('/docs')) return;
  if (path.startsWith('/v1/')) {
    expectOpenAiResponse(response, method, path);
    return;
  }
  const operation = findOperation(method, path);
  if (operation !== undefined) {
    expectDocumented(response, operation.method, operation.path);
    return;
  }
  const body: unknown = response.body;
  const isProblem = typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;
  if (response.status < 400 || !isProblem || response.type !== 'application/problem+json') {
    throw new Error(
      `expected problem details as the response to the undocumented ${method} ${path}, found ${response.status} ${response.text}`,
    );
  }
}

/** Returns the path of a URL as the client sent it. `URL` would normalize `/datastores/.` to `/datastores/`. */
function getDocumentPath(url: string): string {
  return /^\w+:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? url;
}
