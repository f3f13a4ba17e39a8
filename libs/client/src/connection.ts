import type { Route } from './operations.js';
import { errorOf } from './quarry-error.js';
import { retryAfterMs, wait } from './retry-after.js';

/** Where Quarry is, and how patient a client is with it. */
export interface Connection {
  /** Such as `http://localhost:3000/api`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  /** How often a request is repeated that may be, and that Quarry asks to repeat. */
  readonly retries: number;
  /** The longest wait before such a repetition, in milliseconds. What asks for longer fails at once. */
  readonly maxWaitMs: number;
}

export interface Call {
  readonly route: Route;
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly json?: unknown;
  readonly upload?: Upload;
  readonly signal?: AbortSignal | undefined;
  /** For a route that makes something. Absent: one that is used for this call and its repetitions alone. */
  readonly idempotencyKey?: string | undefined;
}

/** A form that is sent once: a stream cannot be read again. */
export interface Upload {
  readonly body: FormData | ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * @returns an answer that says that it went well
 * @throws QuarryError; TypeError when nothing answers; the signal's reason when it is aborted
 */
export async function send(connection: Connection, asked: Call): Promise<Response> {
  const call = named(asked);
  for (let repetition = 0; ; repetition += 1) {
    const response = await connection.fetch(addressOf(connection, call), requestOf(connection, call));
    if (response.ok) return response;
    const waitMs = mayRepeat(connection, call, repetition) ? retryAfterMs(response) : undefined;
    if (waitMs === undefined || waitMs > connection.maxWaitMs) throw await errorOf(response);
    await response.body?.cancel();
    await wait(waitMs, call.signal);
  }
}

/** A stream cannot be read again. */
function mayRepeat({ retries }: Connection, { route, upload }: Call, repetition: number): boolean {
  return route.repeatable && !(upload?.body instanceof ReadableStream) && repetition < retries;
}

function addressOf({ baseUrl }: Connection, { route, path = {}, query = {} }: Call): string {
  const filled = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(path[name] ?? ''));
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(given).toString();
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search === '' ? '' : `?${search}`}`;
}

function requestOf({ apiKey }: Connection, { route, json, upload, signal, idempotencyKey }: Call): RequestInit {
  const once = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
  const headers = { Authorization: `Bearer ${apiKey}`, ...once, ...upload?.headers };
  return {
    method: route.method,
    headers: json === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    // A stream is sent while it is read: fetch wants to be told that no answer is expected before its end.
    ...(upload === undefined ? {} : { body: upload.body, duplex: 'half' as const }),
    ...(signal === undefined ? {} : { signal }),
    redirect: 'error',
  };
}

/** What makes something is named, so that it is made once however often it is repeated. */
function named(call: Call): Call {
  const { route, idempotencyKey = crypto.randomUUID() } = call;
  return route.once === true ? { ...call, idempotencyKey } : call;
}
