import { raw, type Request, type RequestHandler, type Response } from 'express';
import { isJsonDeeperThan } from './json-depth.js';
import { basicProblem } from './problem.js';

/**
 * Maximum depth of nested arrays and objects in a body. The limit protects recursive functions from a stack overflow.
 */
export const MAX_JSON_DEPTH = 64;

/**
 * Creates a handler that parses a JSON body of at most `limit` bytes into `request.body`. Without a body,
 * `request.body` is undefined.
 *
 * @param parse parses the text of the body
 * @throws Problem: 415 for a missing or another content type, or another charset; 413 for a body above the limit; 400
 * for invalid JSON or more than `MAX_JSON_DEPTH` levels
 */
export function parseJsonBody(limit: number, parse: (text: string) => unknown = JSON.parse): RequestHandler {
  const readBytes = raw({ limit, type: hasJsonContentType });
  return async (request, response, next) => {
    requireJsonContentType(request);
    await runBodyParserAsPromise(readBytes, request, response);
    const bytes: unknown = request.body;
    if (Buffer.isBuffer(bytes)) request.body = parseBodyBytes(bytes, parse);
    next();
  };
}

/**
 * Runs the body parser as a promise. Otherwise, later handlers would run in the callback of the body parser, where an
 * error that they throw would be uncaught.
 */
async function runBodyParserAsPromise(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    void handler(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error('the body could not be read', { cause: error }));
    });
  });
}

function parseBodyBytes(bytes: Buffer, parse: (text: string) => unknown): unknown {
  if (bytes.length === 0) return {};
  if (isJsonDeeperThan(MAX_JSON_DEPTH, bytes)) {
    throw basicProblem(
      'malformed_request',
      `The body must have at most ${MAX_JSON_DEPTH} levels of nested arrays and objects, found more.`,
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

function hasJsonContentType(request: { readonly headers: NodeJS.Dict<string | string[]> }): boolean {
  return JSON_TYPE.test(String(request.headers['content-type']));
}

/** Returns true if the headers of a request announce a body (RFC 9112, section 6.3). */
function hasBody(request: Request): boolean {
  return request.get('transfer-encoding') !== undefined || Number(request.get('content-length') ?? 0) > 0;
}

function requireJsonContentType(request: Request): void {
  const type = request.get('content-type');
  if (type === undefined && !hasBody(request)) return;
  if (type === undefined || !hasJsonContentType(request)) {
    const found = type ?? 'no content type';
    throw basicProblem('unsupported_media_type', `The body must be application/json, found ${found}.`);
  }
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset)) {
    throw basicProblem('unsupported_media_type', `The body must be in UTF-8, found charset ${charset}.`);
  }
}
