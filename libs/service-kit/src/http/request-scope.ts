import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Log } from '../log.js';

/** Holds the id of a request, and a log whose lines carry that id. */
export interface RequestScope {
  readonly id: string;
  readonly log: Log;
}

const scopes = new WeakMap<Response, RequestScope>();
const ACCEPTED_ID = /^[\w.-]{8,80}$/;

/**
 * Opens the scope of a request; the first handler of an app. Accepts the caller's `X-Request-Id` if it has a plain form, and
 * returns it in the response.
 */
export function openRequest(log: Log): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id');
    const id = given !== undefined && ACCEPTED_ID.test(given) ? given : randomUUID();
    scopes.set(response, { id, log: log.child({ requestId: id }) });
    response.setHeader('X-Request-Id', id);
    // Browsers must not guess another content type: customers' content is never a page.
    response.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  };
}

/** Returns the scope of a request. @throws when the app was built without `openRequest` */
export function getRequestScope(response: Response): RequestScope {
  const scope = scopes.get(response);
  if (scope === undefined) throw new Error('the app has no openRequest handler before this one');
  return scope;
}
