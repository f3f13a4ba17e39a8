import { request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import type { HostileRequest } from './hostile-requests.js';

const CONCURRENCY = 16;
/** Time without data on a connection after which a request fails, in milliseconds. Valid responses take less time. */
const MAX_SILENCE_MS = 30_000;
/** Number of faults in responses after which no further requests are sent. */
const MAX_FAULTS = 20;

/** Holds the origin of the server under test, and the bearer token that the requests contain. */
export interface HostileTarget {
  readonly origin: string;
  readonly token: string;
}

export interface HostileAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Sends a request and returns its response. Uses `node:http`, because other HTTP clients do not send some of the
 * hostile content types and bodies.
 */
export async function sendHostileRequest(
  { origin, token }: HostileTarget,
  { method, path, type, body, headers: more }: HostileRequest,
): Promise<HostileAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HostileAnswer>();
  const bytes = Buffer.from(body);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type, 'Content-Length': bytes.length, ...more };
  const asking = send(`${origin}${path}`, { method: method.toUpperCase(), headers }, (response) => {
    text(response).then((answered) => {
      const { statusCode: status = 0, headers: given } = response;
      resolve({ status, type: given['content-type'] ?? '', body: answered });
    }, reject);
  });
  asking.setTimeout(MAX_SILENCE_MS, () =>
    asking.destroy(new Error(`expected Quarry to send data within ${MAX_SILENCE_MS} ms, found none`)),
  );
  asking.once('error', reject).end(bytes);
  return promise;
}

/**
 * Sends requests, up to `CONCURRENCY` in parallel, and checks the responses.
 *
 * @returns one line per fault: a missing response, an internal error, or an error in an undocumented form
 */
export async function sendRequestsAndFindFaults(
  target: HostileTarget,
  requests: readonly HostileRequest[],
): Promise<readonly string[]> {
  const queue = [...requests];
  const faults: string[] = [];
  const sendUntilEmpty = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined && faults.length < MAX_FAULTS; next = queue.shift()) {
      const found = await sendRequestAndFindFault(target, next);
      if (found !== undefined) faults.push(found);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendUntilEmpty));
  return faults;
}

async function sendRequestAndFindFault(target: HostileTarget, request: HostileRequest): Promise<string | undefined> {
  try {
    const { status, type, body } = await sendHostileRequest(target, request);
    const isRefused = status >= 400;
    // A streamed response reports errors in its body, because its status was already sent.
    const isStream = type.startsWith('text/event-stream');
    const isFault =
      status >= 500 || (isStream && body.includes('"code":"internal_error"')) || reportsInternalError(request, body);
    if (!isFault && (!isRefused || isDocumentedError(request, type, body))) return undefined;
    return `${request.title}: ${status} ${type} ${body.slice(0, 200)}`;
  } catch (error) {
    return `${request.title}: ${String(error)}`;
  }
}

/**
 * Returns whether an error response has the documented form: an OpenAI error below `/v1`, a JSON-RPC error below
 * `/mcp`, otherwise problem details. A response to HEAD must be empty.
 */
function isDocumentedError({ method, path }: HostileRequest, type: string, body: string): boolean {
  if (method === 'head') return body === '';
  if (path.startsWith('/mcp')) return type.startsWith('application/json') && isJsonRpcError(body);
  return path.startsWith('/v1/')
    ? type.startsWith('application/json') && body.startsWith('{"error":{"message":')
    : type.startsWith('application/problem+json');
}

/** Returns whether a body is a JSON-RPC 2.0 error other than an internal error. */
function isJsonRpcError(body: string): boolean {
  const { jsonrpc, error } = JSON.parse(body) as { readonly jsonrpc?: string; readonly error?: RpcError }; // else a fault
  return jsonrpc === '2.0' && error !== undefined && error.message !== '' && error.code !== RPC_INTERNAL_ERROR;
}

/**
 * Returns whether the body is a response of an MCP endpoint that contains an internal error, of JSON-RPC or of a tool.
 * Such a response can have any HTTP status.
 */
function reportsInternalError({ path }: HostileRequest, body: string): boolean {
  return (
    path.startsWith('/mcp') && (body.includes(`"code":${RPC_INTERNAL_ERROR}`) || body.includes('internal_error: '))
  );
}

interface RpcError {
  readonly code: number;
  readonly message: string;
}

/** The JSON-RPC code of an internal error. Source: JSON-RPC 2.0, section 5.1. */
const RPC_INTERNAL_ERROR = -32_603;
