import { request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import type { HostileRequest } from './hostile-requests.js';

const CONCURRENCY = 16;
/** A connection without data for this time is a fault, because no response of these tests takes as long. */
const MAX_SILENCE_MS = 30_000;
/** Maximum number of faults in the report. */
const MAX_FAULTS = 20;

/** Describes the address and the token of the requests. */
export interface HostileTarget {
  readonly origin: string;
  readonly token: string;
}

export interface HostileAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Sends raw bytes, because HTTP clients refuse some of these types and bodies. */
export async function sendHostile(
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
  asking.setTimeout(MAX_SILENCE_MS, () => asking.destroy(new Error(`no response in ${MAX_SILENCE_MS} ms`)));
  asking.once('error', reject).end(bytes);
  return promise;
}

/** Sends all requests. @returns the wrong responses: internal errors, and refusals of another form */
export async function findFaults(
  target: HostileTarget,
  requests: readonly HostileRequest[],
): Promise<readonly string[]> {
  const queue = [...requests];
  const faults: string[] = [];
  const sendUntilEmpty = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined && faults.length < MAX_FAULTS; next = queue.shift()) {
      const found = await findFault(target, next);
      if (found !== undefined) faults.push(found);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendUntilEmpty));
  return faults;
}

async function findFault(target: HostileTarget, request: HostileRequest): Promise<string | undefined> {
  try {
    const { status, type, body } = await sendHostile(target, request);
    const isRefused = status >= 400;
    // A streamed response reports an error after its status was sent.
    const isStream = type.startsWith('text/event-stream');
    const isFault =
      status >= 500 || (isStream && body.includes('"code":"internal_error"')) || reportsInternalError(request, body);
    if (!isFault && (!isRefused || isRefusal(request, type, body))) return undefined;
    return `${request.title}: ${status} ${type} ${body.slice(0, 200)}`;
  } catch (error) {
    return `${request.title}: ${String(error)}`;
  }
}

/** Returns true for a refusal in the form of its surface: OpenAI's error below `/v1`, JSON-RPC for MCP, otherwise a problem. */
function isRefusal({ method, path }: HostileRequest, type: string, body: string): boolean {
  if (method === 'head') return body === '';
  if (path.startsWith('/mcp')) return type.startsWith('application/json') && isRpcError(body);
  return path.startsWith('/v1/')
    ? type.startsWith('application/json') && body.startsWith('{"error":{"message":')
    : type.startsWith('application/problem+json');
}

/** Returns true for an error of JSON-RPC 2.0 that is no internal error. */
function isRpcError(body: string): boolean {
  const { jsonrpc, error } = JSON.parse(body) as { readonly jsonrpc?: string; readonly error?: RpcError }; // else a fault
  return jsonrpc === '2.0' && error !== undefined && error.message !== '' && error.code !== RPC_INTERNAL_ERROR;
}

/** Returns true if an MCP endpoint reports an internal error, of JSON-RPC or of a tool, in a response of any status. */
function reportsInternalError({ path }: HostileRequest, body: string): boolean {
  return (
    path.startsWith('/mcp') && (body.includes(`"code":${RPC_INTERNAL_ERROR}`) || body.includes('internal_error: '))
  );
}

interface RpcError {
  readonly code: number;
  readonly message: string;
}

/** Source: JSON-RPC 2.0, section 5.1. */
const RPC_INTERNAL_ERROR = -32_603;
