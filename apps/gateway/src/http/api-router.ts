import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import cors from 'cors';
import { linkSignals } from '@quarry/cancellation';
import { getRequestScope } from '@quarry/service-kit';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { createAuthenticationHandler, createRequestLimit, createScopeCheck } from './authenticate.js';
import type { Operation, PublicOperation } from './declaration.js';
import { createDisconnectSignal } from './disconnect-signal.js';
import { type ExchangeParts, createExchange } from './exchange.js';
import { buildPathExpression } from './path-expression.js';
import { setPrivateHeaders } from './private-responses.js';
import { createBodyParser } from './create-body-parser.js';
import { sendReply } from './reply.js';
import { refuseOtherOrigins } from './same-origin.js';

/** A set of operations below one base path, such as `/api`. */
export interface ApiRoutes {
  readonly basePath: '/api' | '/v1';
  readonly operations: readonly Operation[];
  /** The operations that need neither an API key nor a session. */
  readonly publicOperations: readonly PublicOperation[];
  /** All routes below the base path. A request to such a route with an unsupported method is refused with 405. */
  readonly known: readonly KnownRoute[];
  /** The handlers of requests that match no route, and of the errors of all requests. Mounted last, in this order. */
  readonly lastHandlers: readonly (RequestHandler | ErrorRequestHandler)[];
}

/**
 * Creates the router of all operations below a base path. Each request needs an API key or a session that has one of
 * the scopes of the operation, unless the operation is public.
 */
export function createApiRouter(
  gateway: Gateway,
  { basePath, operations, publicOperations, known, lastHandlers }: ApiRoutes,
): Router {
  const api = Router();
  api.use(setPrivateHeaders);
  const open = operations.filter(({ allowsOtherOrigins }) => allowsOtherOrigins === true);
  api.use(
    open.map(({ path }) => toExpressPath(path)),
    allowOtherOrigins,
  );
  for (const operation of publicOperations) {
    api[operation.method](
      toExpressPath(operation.path),
      refuseOtherOrigins,
      createBodyParser(operation, gateway.limits),
      createPublicOperationHandler(gateway, operation),
    );
  }
  api.use(createAuthenticationHandler(gateway));
  api.use(createRequestLimit(gateway));
  for (const operation of operations) {
    api[operation.method](
      toExpressPath(operation.path),
      createScopeCheck(operation.scopes),
      createBodyParser(operation, gateway.limits),
      operation.idempotency === 'lease' || operation.isLongRunning === true
        ? createLongOperationHandler(gateway, operation)
        : createOperationHandler(gateway, operation),
    );
  }
  api.use(createMethodCheck(known));
  for (const handler of lastHandlers) api.use(handler);
  return Router().use(basePath, api);
}

/** Converts a path from the syntax of OpenAPI to that of Express, such as `/agents/{id}` to `/agents/:id`. */
function toExpressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Creates the handler of an operation. When the client disconnects, the operation is aborted. */
function createOperationHandler(gateway: Gateway, operation: Operation): RequestHandler {
  return async (request, response) => {
    const signal = createDisconnectSignal(response);
    await runOperation(operation, { gateway, request, response, signal, stopSignal: signal });
  };
}

/** Creates the handler of an operation that needs neither an API key nor a session. */
function createPublicOperationHandler(gateway: Gateway, operation: PublicOperation): RequestHandler {
  return async (request, response) => {
    const { log } = getRequestScope(response);
    await sendReply(response, await operation.handle({ gateway, request, response, log }), request.baseUrl);
  };
}

/**
 * Creates the handler of an operation that may take minutes. When the gateway stops, it waits for the operation, and
 * aborts the operation after a time limit.
 */
function createLongOperationHandler(gateway: Gateway, operation: Operation): RequestHandler {
  return async (request, response) => {
    await gateway.answers.run(async (controller) => {
      // A client that sends an Idempotency-Key repeats its request after a broken connection, so a disconnect of the
      // client does not abort the work.
      const isRepeatable = operation.idempotency === 'lease' && request.get('idempotency-key') !== undefined;
      const stopSignal = controller.signal;
      // `release` of the linked signals need not be called, because both source signals end with the request.
      const signal = isRepeatable ? stopSignal : linkSignals(stopSignal, createDisconnectSignal(response)).signal;
      await runOperation(operation, { gateway, request, response, signal, stopSignal });
    });
  };
}

/** Runs the handler of an operation, sends the reply, then runs the functions that were registered with `onEnd`. */
async function runOperation(operation: Operation, parts: Omit<ExchangeParts, 'onEnd'>): Promise<void> {
  const cleanUps: (() => Promise<void>)[] = [];
  const onEnd: ExchangeParts['onEnd'] = (cleanUp) => void cleanUps.push(cleanUp);
  try {
    const reply = await operation.handle(createExchange({ ...parts, onEnd }));
    await sendReply(parts.response, reply, parts.request.baseUrl);
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}

const DAY_SECONDS = 86_400;

/**
 * Allows requests from web pages of any origin (CORS). A page must send an API key in a header. Browsers send no cookie
 * with such a request, because the response lacks `Access-Control-Allow-Credentials`. Mounted before authentication, so
 * that pages can also read the responses to refused requests.
 */
const allowOtherOrigins = cors({
  origin: '*',
  methods: 'GET, POST, PUT, DELETE',
  // The wildcard permits the headers that SDKs add, such as X-Stainless-Lang. It does not include Authorization.
  allowedHeaders: 'Authorization, Content-Type, X-Request-Id, Idempotency-Key, Last-Event-ID, *',
  exposedHeaders:
    'X-Request-Id, X-Should-Retry, Deprecation, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Quarry-Notes, Quarry-Conversation-Id, Quarry-Message-Id, Idempotency-Replayed',
  maxAge: DAY_SECONDS,
});

/** A route of an operation: its method and path, such as `get` and `/agents/{id}`. */
interface KnownRoute {
  readonly method: string;
  readonly path: string;
}

/**
 * Creates middleware that refuses a request if its path is that of a route, but no route with this path supports its
 * method. Mount it after all routes.
 *
 * @throws Problem 405 with the header `Allow`
 */
function createMethodCheck(routes: readonly KnownRoute[]): RequestHandler {
  const known = [...Map.groupBy(routes, ({ path }) => path)].map(([path, sameRoutes]) => ({
    expression: new RegExp(`^${buildPathExpression(path)}`, 'i'),
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
