import type { RequestHandler } from 'express';
import { problem } from '../problems.js';

/** A route, as the API describes it: such as `get` and `/agents/{id}`. */
export interface KnownRoute {
  readonly method: string;
  readonly path: string;
}

/** Mounted after all routes: says what a path takes that is asked for in another way. @throws Problem 405 with `Allow` */
export function refuseOtherMethods(routes: readonly KnownRoute[]): RequestHandler {
  const known = [...Map.groupBy(routes, ({ path }) => path)].map(([path, those]) => ({
    expression: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
    methods: those.map(({ method }) => method.toUpperCase()),
  }));
  return (request, _response, next) => {
    const methods = new Set(
      known.flatMap(({ expression, methods: some }) => (expression.test(request.path) ? some : [])),
    );
    if (methods.size === 0) {
      next();
      return;
    }
    if (methods.has('GET')) methods.add('HEAD');
    const allowed = [...methods].toSorted().join(', ');
    throw problem('method_not_allowed', `${request.path} takes ${allowed}; found ${request.method}.`, {
      headers: { Allow: allowed },
    });
  };
}
