import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Log } from '../log.js';

/** Holds the id of a request, and a log whose lines carry that id. */
export interface RequestScope {
  readonly id: string;
  readonly log: Log;
}

const scopes = new WeakMap<Response, RequestScope>();
/** The id of the request that the current asynchronous context handles. */
const currentId = new AsyncLocalStorage<string>();
const ACCEPTED_ID = /^[\w.-]{8,80}$/;

/**
 * Creates the first handler of an app, which opens the scope of each request. The id of a request is its `X-Request-Id`
 * if that has 8 to 80 letters, digits or `_.-`, otherwise a new id. The response returns it.
 */
export function createRequestScopeHandler(log: Log): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id');
    const id = given !== undefined && ACCEPTED_ID.test(given) ? given : randomUUID();
    scopes.set(response, { id, log: log.child({ requestId: id }) });
    response.setHeader('X-Request-Id', id);
    // Prevents browsers from rendering content of customers as a web page.
    response.setHeader('X-Content-Type-Options', 'nosniff');
    currentId.run(id, next);
  };
}

/** Returns the scope of a request. @throws when the app was built without `createRequestScopeHandler` */
export function getRequestScope(response: Response): RequestScope {
  const scope = scopes.get(response);
  if (scope === undefined) throw new Error('the app has no createRequestScopeHandler handler before this one');
  return scope;
}

/**
 * Returns the header with which a call of another service carries the id of the request in progress. Returns no header
 * outside of a request.
 */
export function getRequestIdHeader(): Readonly<Record<string, string>> {
  const id = currentId.getStore();
  return id === undefined ? {} : { 'X-Request-Id': id };
}

/** Returns a log whose lines carry the id of the request in progress. Returns the same log outside of a request. */
export function addRequestId(log: Log): Log {
  const id = currentId.getStore();
  return id === undefined ? log : log.child({ requestId: id });
}
