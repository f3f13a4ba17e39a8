import { Router, type RequestHandler, type Response } from 'express';
import type { Gateway } from '../gateway.js';
import { authenticate, requireScope } from './authenticate.js';
import { allowOtherOrigins } from './cors.js';
import type { Operation } from './declaration.js';
import { openExchange, type ExchangeParts } from './exchange.js';
import { limitRequests } from './limit-requests.js';
import { readBody } from './read-body.js';
import { refuseOtherMethods, type KnownRoute } from './refuse-other-methods.js';
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
      operation.idempotency === 'lease' ? handleLong(gateway, operation) : handle(gateway, operation),
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

function handle(gateway: Gateway, operation: Operation): RequestHandler {
  return async (request, response) => {
    const signal = createDisconnectSignal(response);
    await handleExchange(operation, { gateway, request, response, signal });
  };
}

/** Handles an operation that may take minutes. A service that stops waits for it until its deadline, then aborts it. */
function handleLong(gateway: Gateway, operation: Operation): RequestHandler {
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
