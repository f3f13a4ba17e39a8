import type { RouteDescription } from './declaration.js';
import type { RequestHandler } from 'express';
import { problem } from '../problems.js';
import { buildPathExpression } from './path-expression.js';

/**
 * Creates a handler that refuses requests which call an operation without `/api`. The message contains the right path.
 * Mount it after the console, because the console has pages at some of these paths.
 */
export function createApiPathHint(operations: readonly Pick<RouteDescription, 'method' | 'path'>[]): RequestHandler {
  const known = operations.map(({ method, path }) => ({
    method: method.toUpperCase(),
    expression: new RegExp(`^${buildPathExpression(path)}`, 'i'),
  }));
  return ({ method, path }, _response, next) => {
    if (!known.some((operation) => operation.method === method && operation.expression.test(path))) {
      next();
      return;
    }
    throw problem('not_found', `There is no ${method} ${path}. The API is below /api: send ${method} /api${path}.`);
  };
}
