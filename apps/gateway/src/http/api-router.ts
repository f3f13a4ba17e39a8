import { type RequestHandler, type Response, Router } from 'express';
import cors from 'cors';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { authenticate, limitRequests, requireScope } from './authenticate.js';
import type { Operation } from './declaration.js';
import { type ExchangeParts, openExchange } from './exchange.js';
import { readBody } from './read-body.js';
import { sendReply } from './reply.js';
import { translateErrors } from './translate-errors.js';

/**
 * Builds the router of all operations below `/api`. Each request needs a key, which must have one of the scopes of the operation.
 *
 * @param known all routes below `/api`; a request to one of them with another method is refused with 405
 */
export function createApiRouter(
  gateway: Gateway,
  operations: readonly Operation[],
  known: readonly KnownRoute[],
): Router {
  const api = Router();
  const open = operations.filter(({ allowsOtherOrigins }) => allowsOtherOrigins === true);
  api.use(
    open.map(({ path }) => toExpressPath(path)),
    allowOtherOrigins,
  );
  api.use(authenticate(gateway));
  api.use(limitRequests(gateway));
  for (const operation of operations) {
    api[operation.method](
      toExpressPath(operation.path),
      requireScope(operation.scopes),
      readBody(operation, gateway.limits),
      operation.idempotency === 'lease' ? createLeasedHandler(gateway, operation) : createHandler(gateway, operation),
    );
  }
  api.use(refuseOtherMethods(known));
  api.use(translateErrors);
  return Router().use('/api', api);
}

/** Converts a path to the syntax of Express: `/agents/:id`. */
function toExpressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function createHandler(gateway: Gateway, operation: Operation): RequestHandler {
  return async (request, response) => {
    const signal = createDisconnectSignal(response);
    await handleExchange(operation, { gateway, request, response, signal });
  };
}

/** Handles an operation that may take minutes. A service that stops waits for it until its deadline, then aborts it. */
function createLeasedHandler(gateway: Gateway, operation: Operation): RequestHandler {
  return async (request, response) => {
    await gateway.answers.run(async (ending) => {
      // A client with an Idempotency-Key repeats its request after a broken connection, so the work is completed.
      const isRepeatable = request.get('idempotency-key') !== undefined;
      const signal = isRepeatable ? ending.signal : createDisconnectSignal(response, ending);
      await handleExchange(operation, { gateway, request, response, signal });
    });
  };
}

async function handleExchange(operation: Operation, parts: Omit<ExchangeParts, 'onEnd'>): Promise<void> {
  const cleanUps: (() => Promise<void>)[] = [];
  const onEnd: ExchangeParts['onEnd'] = (cleanUp) => void cleanUps.push(cleanUp);
  try {
    const reply = await operation.handle(openExchange({ ...parts, onEnd }));
    await sendReply(parts.response, reply, parts.request.baseUrl);
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}

/**
 * Returns a signal that aborts when the client disconnects before the response is complete, also if it has already disconnected.
 * Call it before the first `await`, so that no disconnect is missed.
 */
function createDisconnectSignal(response: Response, controller = new AbortController()): AbortSignal {
  if (response.closed) controller.abort(new Error('the client disconnected'));
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('the client disconnected'));
  });
  return controller.signal;
}

const DAY_SECONDS = 86_400;

/**
 * Allows requests from pages of any origin. A page must set the key in a header itself, so that no cookie of a visitor can be
 * abused. Mounted before authentication, so that pages can read refusals too.
 */
const allowOtherOrigins = cors({
  origin: '*',
  methods: 'POST',
  allowedHeaders: 'Authorization, Content-Type, X-Request-Id, Idempotency-Key',
  exposedHeaders:
    'X-Request-Id, Deprecation, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Quarry-Notes, Idempotency-Replayed',
  maxAge: DAY_SECONDS,
});

/** A method and a path, such as `get` and `/agents/{id}`. */
interface KnownRoute {
  readonly method: string;
  readonly path: string;
}

/** Refuses other methods of known paths. Mount it after all routes. @throws Problem 405 with the header `Allow` */
function refuseOtherMethods(routes: readonly KnownRoute[]): RequestHandler {
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
