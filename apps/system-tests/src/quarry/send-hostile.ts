import { request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import type { HostileRequest } from './hostile-requests.js';

const CONCURRENCY = 16;
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
  { method, path, type, body }: HostileRequest,
): Promise<HostileAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HostileAnswer>();
  const bytes = Buffer.from(body);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type, 'Content-Length': bytes.length };
  const asking = send(`${origin}${path}`, { method: method.toUpperCase(), headers }, (response) => {
    text(response).then((answered) => {
      const { statusCode: status = 0, headers: given } = response;
      resolve({ status, type: given['content-type'] ?? '', body: answered });
    }, reject);
  });
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
    const isFault = status >= 500 || (isStream && body.includes('"code":"internal_error"'));
    if (!isFault && (!isRefused || isRefusal(request.path, type, body))) return undefined;
    return `${request.title}: ${status} ${type} ${body.slice(0, 200)}`;
  } catch (error) {
    return `${request.title}: ${String(error)}`;
  }
}

/** Returns true for a refusal in the form of its surface: OpenAI's error below `/v1`, else a problem. */
function isRefusal(path: string, type: string, body: string): boolean {
  return path.startsWith('/v1/')
    ? type.startsWith('application/json') && body.startsWith('{"error":{"message":')
    : type.startsWith('application/problem+json');
}
