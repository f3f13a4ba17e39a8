import type { Request, RequestHandler } from 'express';
import { parseCleanJson } from '@quarry/queue';
import { parseJsonBody as readJsonBody } from '@quarry/service-kit';
import { problem } from '../problems.js';
import type { Limits } from '../limits.js';
import type { RouteDescription } from './declaration.js';

const skipBodyParsing: RequestHandler = (_request, _response, next) => {
  next();
};

/**
 * Creates middleware that parses the JSON body of requests to an operation. Does not read forms:
 * `parseAndHandleRequest` reads them after the path was checked.
 *
 * @throws Problem 415 for a content type that the operation does not accept, 413 for a body that is too large, 400 for
 *   a body that is not JSON
 */
export function createBodyParser({ body }: Pick<RouteDescription, 'body'>, limits: Limits): RequestHandler {
  if (body === undefined) return skipBodyParsing;
  const { json, form } = body;
  if (json === undefined) return requireFormContentType;
  const readJson = createStorableJsonParser(limits[json.maxBytes]);
  if (form === undefined) return readJson;
  return (request, response, next) => (isMultipartForm(request) ? skipBodyParsing : readJson)(request, response, next);
}

/** Returns true if the body of a request is a `multipart/form-data` form. */
export function isMultipartForm(request: Request): boolean {
  return typeof request.is('multipart/form-data') === 'string';
}

const requireFormContentType: RequestHandler = (request, _response, next) => {
  if (!isMultipartForm(request)) {
    const found = request.get('content-type') ?? 'none';
    throw problem('unsupported_media_type', `Send a file as multipart/form-data; found the content type ${found}.`);
  }
  next();
};

/**
 * Creates middleware that parses a JSON body of at most `limit` bytes, and replaces characters that the database cannot
 * store.
 *
 * @throws Problem 415, 413 or 400 in the same cases as `parseJsonBody` of @quarry/service-kit
 */
export function createStorableJsonParser(limit: number): RequestHandler {
  return readJsonBody(limit, parseCleanJson);
}
