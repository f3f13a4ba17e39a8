import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Log } from '../log.js';

/** Holds the id of a request, and a log whose lines contain the id. */
export interface RequestScope {
  readonly id: string;
  readonly log: Log;
}

const scopes = new WeakMap<Response, RequestScope>();
/** Holds the id of the request that is handled in the current asynchronous context. */
const currentId = new AsyncLocalStorage<string>();
const ACCEPTED_ID = /^[\w.-]{8,80}$/;

/**
 * Creates the handler that must be the first one of an app. It creates the scope of each request. The id of a request
 * is the header `X-Request-Id` if the header has 8 to 80 letters, digits or `_.-`, otherwise a new id. The response
 * contains the id.
 */
export function createRequestScopeHandler(log: Log): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id');
    const id = given !== undefined && ACCEPTED_ID.test(given) ? given : randomUUID();
    scopes.set(response, { id, log: log.child({ requestId: id }) });
    response.setHeader('X-Request-Id', id);
    // Prevents browsers from displaying customers' content as a web page.
    response.setHeader('X-Content-Type-Options', 'nosniff');
    currentId.run(id, next);
  };
}

/** Returns the scope of a request. @throws Error if the app was built without `createRequestScopeHandler` */
export function getRequestScope(response: Response): RequestScope {
  const scope = scopes.get(response);
  if (scope === undefined)
    throw new Error(
      'expected the handler of createRequestScopeHandler to run before this handler, found no request scope',
    );
  return scope;
}

/**
 * Returns the header that passes the id of the request in progress to another service. Outside of a request, returns no
 * header.
 */
export function getRequestIdHeader(): Readonly<Record<string, string>> {
  const id = currentId.getStore();
  return id === undefined ? {} : { 'X-Request-Id': id };
}

/** Returns a log whose lines contain the id of the request in progress. Outside of a request, returns the given log. */
export function addRequestId(log: Log): Log {
  const id = currentId.getStore();
  return id === undefined ? log : log.child({ requestId: id });
}
