import type { Response } from 'supertest';
import { ROUTES } from '../openapi/documented-routes.js';
import type { RouteDescription } from '../http/declaration.js';
import { expectDocumented } from './expect-documented.js';

interface Known {
  readonly operation: RouteDescription;
  readonly expression: RegExp;
}

/** Paths without parameters first: `/datastores/upsert/x` is no datastore called `upsert`. */
const KNOWN: readonly Known[] = ROUTES.flatMap((operation) =>
  (operation.servers ?? ['/api']).map((server) => {
    const path = `${server === '/' ? '' : server}${operation.path}`;
    return { operation, expression: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i') };
  }),
).toSorted((left, right) => left.operation.path.split('{').length - right.operation.path.split('{').length);

/** The operation that a request is for; undefined: there is none. */
export function operationOf(method: string, path: string): RouteDescription | undefined {
  return KNOWN.find(({ operation, expression }) => operation.method === method.toLowerCase() && expression.test(path))
    ?.operation;
}

/**
 * Holds any response of the gateway against the document: one that the document knows is as it says, and all else is refused with
 * a problem.
 */
export function expectAnyDocumented(response: Response): void {
  const { method, url } = response.request as unknown as { readonly method: string; readonly url: string }; // superagent's
  const path = pathOf(url);
  if (method === 'HEAD' || method === 'OPTIONS' || path.startsWith('/docs')) return;
  const operation = operationOf(method, path);
  if (operation !== undefined) {
    expectDocumented(response, operation.method, operation.path);
    return;
  }
  const body: unknown = response.body;
  const isProblem = typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;
  if (response.status < 400 || !isProblem || response.type !== 'application/problem+json') {
    throw new Error(`nothing is documented of ${method} ${path}, which answered ${response.status} ${response.text}`);
  }
}

/** As it was sent: `URL` would take `/datastores/.` for `/datastores/`. */
function pathOf(url: string): string {
  return /^\w+:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? url;
}
