import type { RequestHandler } from 'express';
import { problem } from '../problems.js';

/** A method and a path, such as `get` and `/agents/{id}`. */
export interface KnownRoute {
  readonly method: string;
  readonly path: string;
}

/** Refuses other methods of known paths. Mount it after all routes. @throws Problem 405 with the header `Allow` */
export function refuseOtherMethods(routes: readonly KnownRoute[]): RequestHandler {
  const known = [...Map.groupBy(routes, ({ path }) => path)].map(([path, sameRoutes]) => ({
    expression: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
    methods: sameRoutes.map(({ method }) => method.toUpperCase()),
  }));
  return (request, _response, next) => {
    const methods = new Set(
      known.flatMap(({ expression, methods: supported }) => (expression.test(request.path) ? supported : [])),
    );
    if (methods.size === 0) {
      next();
      return;
    }
    if (methods.has('GET')) methods.add('HEAD');
    const allowed = [...methods].toSorted().join(', ');
    throw problem('method_not_allowed', `${request.path} supports ${allowed}; found ${request.method}.`, {
      headers: { Allow: allowed },
    });
  };
}
