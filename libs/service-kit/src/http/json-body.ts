import { raw, type Request, type RequestHandler, type Response } from 'express';
import { isDeeperThan } from './json-depth.js';
import { basicProblem } from './problem.js';

/** Maximum nesting of arrays and objects in a body. Recursive code relies on it. */
export const MAX_JSON_DEPTH = 64;

/**
 * Parses a JSON body of at most `limit` bytes into `request.body`. Without a body, it stays `undefined`.
 *
 * @param parse converts the text into the value
 * @throws Problem 415 for another content type or charset, 413 over the limit, 400 for invalid JSON or too many levels
 */
export function parseJsonBody(limit: number, parse: (text: string) => unknown = JSON.parse): RequestHandler {
  const readBytes = raw({ limit, type: isJson });
  return async (request, response, next) => {
    requireJson(request);
    await runHandler(readBytes, request, response);
    const bytes: unknown = request.body;
    if (Buffer.isBuffer(bytes)) request.body = getValue(bytes, parse);
    next();
  };
}

/** Calls the next handler. An error that is thrown in body-parser's callback would be uncaught, so nothing else runs in it. */
async function runHandler(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    void handler(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error('the body could not be read', { cause: error }));
    });
  });
}

function getValue(bytes: Buffer, parse: (text: string) => unknown): unknown {
  if (bytes.length === 0) return {};
  if (isDeeperThan(MAX_JSON_DEPTH, bytes)) {
    throw basicProblem(
      'malformed_request',
      `The body may nest ${MAX_JSON_DEPTH} levels of arrays and objects, found more.`,
    );
  }
  try {
    return parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw basicProblem('malformed_request', `The body is not JSON: ${error.message}.`, { cause: error });
  }
}

const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

function isJson(request: { readonly headers: NodeJS.Dict<string | string[]> }): boolean {
  return JSON_TYPE.test(String(request.headers['content-type']));
}

function requireJson(request: Request): void {
  const type = request.get('content-type');
  if (type === undefined) return;
  if (!isJson(request)) {
    throw basicProblem('unsupported_media_type', `The body must be application/json, found ${type}.`);
  }
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset)) {
    throw basicProblem('unsupported_media_type', `The body must be in UTF-8, found charset ${charset}.`);
  }
}
