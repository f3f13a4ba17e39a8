import { countSentBytes } from './count-sent-bytes.js';
import { createRandomId } from './create-random-id.js';
import { parseErrorResponse } from './quarry-error.js';
import { createBrowserRequest, sendWithProgress, type UploadProgress } from './send-with-progress.js';
import { parseRetryAfterMs, waitForDelay } from './wait-for-retry.js';

/** Describes the server and the retry settings of a client. */
export interface Connection {
  /** Base URL of the API, such as `http://localhost:3000/api`. */
  readonly baseUrl: string;
  /** API key of the requests. Absent: the requests carry the cookie of the browser's session instead. */
  readonly apiKey?: string | undefined;
  readonly fetch: typeof fetch;
  /** Maximum number of retries of a request that is safe to repeat. */
  readonly retries: number;
  /** Maximum delay before a retry, in milliseconds. If Quarry asks for a longer delay, the request fails at once. */
  readonly maxWaitMs: number;
  /**
   * Delay in milliseconds before a resumable stream is reopened, if the connection broke before an event arrived. The
   * delay doubles with each attempt.
   */
  readonly resumeWaitMs: number;
}

/** Describes the route of an operation, and whether the requests of the operation can be repeated. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** True for operations whose requests are safe to repeat. */
  readonly isRepeatable: boolean;
  /** True for operations that send an `Idempotency-Key`, so that a repeated request has only one effect. */
  readonly isNamed: boolean;
}

export interface Call {
  readonly route: Route;
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly json?: unknown;
  readonly upload?: Upload;
  readonly signal?: AbortSignal | undefined;
  /**
   * Id of the last event that was received on an earlier connection. The stream of events continues after it. Absent: a
   * new stream.
   */
  readonly lastEventId?: string | undefined;
  /** Called with the number of sent bytes while `upload` is sent. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /**
   * Value of `Idempotency-Key` for an operation that creates a resource. Default: a new key for this call and its
   * retries.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Describes an HTTP form that contains a file. A form whose `body` is a stream can be sent only once. */
export interface Upload {
  readonly body: FormData | ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends a request and returns the successful response. Retries the request within the limits that `connection` sets.
 *
 * @throws QuarryError for an error response; TypeError if the server does not respond; the reason of the call's signal
 * if the signal aborts
 */
export async function sendRequest(connection: Connection, options: Call): Promise<Response> {
  const call = addIdempotencyKey(options);
  for (let repetition = 0; ; repetition += 1) {
    const response = await sendRequestOnce(connection, call);
    if (response.ok) return response;
    const waitMs = canRepeatRequest(connection, call, repetition) ? parseRetryAfterMs(response) : undefined;
    if (waitMs === undefined || waitMs > connection.maxWaitMs)
      throw await parseErrorResponse(response, connection.baseUrl);
    await response.body?.cancel();
    await waitForDelay(waitMs, call.signal);
  }
}

/** Sends a request without retries. @throws TypeError with the base URL if the server does not respond */
async function sendRequestOnce(connection: Connection, call: Call): Promise<Response> {
  try {
    return await sendByFetchOrXhr(connection, call);
  } catch (error) {
    call.signal?.throwIfAborted();
    throw error instanceof TypeError ? addBaseUrlToError(error, connection.baseUrl) : error;
  }
}

/** Creates an error whose message contains the base URL, because the message of an error of `fetch` contains no URL. */
function addBaseUrlToError(error: TypeError, baseUrl: string): TypeError {
  const { cause } = error;
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : error.message;
  const expectation = `Expected Quarry at ${baseUrl}, but the request failed: ${reason}.`;
  return new TypeError(`${expectation} Check that Quarry runs there, and correct \`baseUrl\` if it does not.`, {
    cause: error,
  });
}

/**
 * Sends a request through fetch. If the call has `onProgress` and a form, sends the form through XMLHttpRequest, or
 * outside of browsers as a stream whose bytes are counted.
 */
async function sendByFetchOrXhr(connection: Connection, call: Call): Promise<Response> {
  const url = buildUrl(connection, call);
  const { onProgress, upload, route, signal } = call;
  if (onProgress === undefined || !(upload?.body instanceof FormData))
    return connection.fetch(url, buildRequest(connection, call));
  const { body, headers } = upload;
  const request = createBrowserRequest();
  if (request !== undefined) {
    const form = { method: route.method, headers: buildHeaders(connection, call), body, signal, onProgress };
    return sendWithProgress(request, url, form);
  }
  const counted = await countSentBytes(body, onProgress);
  const encoded = { body: counted.body, headers: { ...headers, ...counted.headers } };
  return connection.fetch(url, buildRequest(connection, { ...call, upload: encoded }));
}

/**
 * Returns true if retries are left and the request is safe to repeat. The upload of a stream is not safe to repeat,
 * because the stream cannot be read again.
 */
function canRepeatRequest({ retries }: Connection, { route, upload }: Call, repetition: number): boolean {
  return route.isRepeatable && !(upload?.body instanceof ReadableStream) && repetition < retries;
}

/** Builds the URL of a call, with its path parameters and query string. */
export function buildUrl(
  { baseUrl }: Pick<Connection, 'baseUrl'>,
  { route, path = {}, query = {} }: Pick<Call, 'route' | 'path' | 'query'>,
): string {
  const filled = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(path[name] ?? ''));
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(given).toString();
  return `${baseUrl.replace(/(?<!\/)\/+$/, '')}${filled}${search === '' ? '' : `?${search}`}`;
}

function buildRequest(connection: Connection, call: Call): RequestInit {
  const { route, json, upload, signal } = call;
  const headers = buildHeaders(connection, call);
  return {
    method: route.method,
    credentials: connection.apiKey === undefined ? 'same-origin' : 'omit',
    headers: json === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    // fetch requires `duplex: 'half'` for a stream: the response can be read only after the whole request was sent.
    ...(upload === undefined ? {} : { body: upload.body, duplex: 'half' as const }),
    ...(signal === undefined ? {} : { signal }),
    redirect: 'error',
  };
}

function buildHeaders({ apiKey }: Connection, call: Call): Readonly<Record<string, string>> {
  const { upload, idempotencyKey, lastEventId } = call;
  return {
    ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    ...upload?.headers,
  };
}

/** Adds an `Idempotency-Key` to a call if its operation uses one, so that repeated requests have only one effect. */
function addIdempotencyKey(call: Call): Call {
  const { route, idempotencyKey = createRandomId() } = call;
  return route.isNamed ? { ...call, idempotencyKey } : call;
}
