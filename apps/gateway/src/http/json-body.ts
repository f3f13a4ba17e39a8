import { cleanJson } from '@quarry/queue-bullmq';
import { json, type RequestHandler } from 'express';
import { problem } from '../problems.js';

/**
 * Reads a JSON body of at most `limit` bytes, and takes out of its strings what no database can store.
 *
 * @throws Problem 415 for a body of another type, 413 over the limit, 400 when it is not JSON
 */
export function jsonBody(limit: number): RequestHandler {
  const read = json({ limit, type: isJson });
  return (request, response, next) => {
    const type = request.get('content-type');
    if (type !== undefined && !isJson(request)) {
      throw problem('unsupported_media_type', `The body must be application/json, found ${type}.`);
    }
    read(request, response, (error: unknown) => {
      if (error === undefined && request.body !== undefined) request.body = cleanJson(request.body);
      next(error);
    });
  };
}

function isJson(request: { readonly headers: NodeJS.Dict<string | string[]> }): boolean {
  return /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(String(request.headers['content-type']));
}
