import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Log } from '../log.js';

/** What belongs to one request: its id, and a log whose lines carry it. */
export interface RequestScope {
  readonly id: string;
  readonly log: Log;
}

const scopes = new WeakMap<Response, RequestScope>();
const ACCEPTED_ID = /^[\w.-]{8,80}$/;

/** The first handler of an app. Takes the caller's `X-Request-Id` where it is a plain one, and answers with it. */
export function openRequest(log: Log): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id');
    const id = given !== undefined && ACCEPTED_ID.test(given) ? given : randomUUID();
    scopes.set(response, { id, log: log.child({ requestId: id }) });
    response.setHeader('X-Request-Id', id);
    // No browser takes an answer for another type than it says: what customers wrote is never a page.
    response.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  };
}

/** @throws when the app was built without `openRequest` */
export function requestOf(response: Response): RequestScope {
  const scope = scopes.get(response);
  if (scope === undefined) throw new Error('the app has no openRequest handler before this one');
  return scope;
}
