import { Router, type RequestHandler } from 'express';
import type { Gateway } from '../gateway.js';
import { abortedByLeaving } from './aborted-by-leaving.js';
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
 * Builds the router of everything below `/api`. Each request needs a key; each operation admits its scopes.
 *
 * @param known all routes below `/api`: another method of one of them is refused with 405
 */
export function apiRouter(gateway: Gateway, operations: readonly Operation[], known: readonly KnownRoute[]): Router {
  const api = Router();
  const open = operations.filter(({ allowsOtherOrigins }) => allowsOtherOrigins === true);
  api.use(
    open.map(({ path }) => expressPath(path)),
    allowOtherOrigins,
  );
  api.use(authenticate(gateway));
  api.use(limitRequests(gateway));
  for (const operation of operations) {
    api[operation.method](
      expressPath(operation.path),
      requireScope(operation.scopes),
      readBody(operation, gateway.limits),
      operation.idempotency === 'lease' ? answerLong(gateway, operation) : answer(gateway, operation),
    );
  }
  api.use(refuseOtherMethods(known));
  api.use(translateErrors);
  return Router().use('/api', api);
}

/** Writes a path as Express does: `/agents/:id`. */
function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function answer(gateway: Gateway, operation: Operation): RequestHandler {
  return async (request, response) => {
    const signal = abortedByLeaving(response);
    await exchange(operation, { gateway, request, response, signal });
  };
}

/** Answers by work that may take minutes: a service that stops waits for it, and then aborts it. */
function answerLong(gateway: Gateway, operation: Operation): RequestHandler {
  return async (request, response) => {
    await gateway.answers.run(async (ending) => {
      // A client that names its request comes again for the response when the connection breaks, so the work is finished.
      const isNamed = request.get('idempotency-key') !== undefined;
      const signal = isNamed ? ending.signal : abortedByLeaving(response, ending);
      await exchange(operation, { gateway, request, response, signal });
    });
  };
}

async function exchange(operation: Operation, parts: Omit<ExchangeParts, 'onEnd'>): Promise<void> {
  const cleanUps: (() => Promise<void>)[] = [];
  const onEnd: ExchangeParts['onEnd'] = (cleanUp) => void cleanUps.push(cleanUp);
  try {
    const reply = await operation.handle(openExchange({ ...parts, onEnd }));
    await sendReply(parts.response, reply, parts.request.baseUrl);
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}
