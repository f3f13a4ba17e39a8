import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getRequestScope } from '@quarry/service-kit';
import type { Response } from 'express';
import { type EventStream, HEARTBEAT_FRAME } from '../answering/sse.js';

/** Describes the response to a successful request. `Body` is the type that the operation declares for this status. */
export interface Reply<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  /** The path of a created resource without the base path, such as `/agents/…`, for the header `Location`. */
  readonly location?: string;
  readonly content?: JsonText | StreamContent | BytesContent;
  /** True if the stored response to an earlier request with the same `Idempotency-Key` is sent again. */
  readonly isReplayed?: boolean;
  /** Never set. Its type lets the compiler check the body. */
  readonly bodyType?: Body;
}

interface JsonText {
  readonly json: string;
}

/** The content of a reply that consists of server-sent events. */
interface StreamContent {
  /** Sends the events. Resolves at the end of the stream. Never rejects, because the HTTP status is already sent. */
  readonly stream: (stream: EventStream) => Promise<void>;
}

/** The content of a reply that consists of bytes, such as a file. */
interface BytesContent {
  readonly bytes: Readable;
}

/** The declared body type of a reply that consists of bytes. */
export interface BinaryBody {
  readonly isBinary: true;
}

/** Builds a reply whose body is read from a stream as fast as the client receives it. */
export function buildBytesReply<Status extends 200 | 206>(
  status: Status,
  bytes: Readable,
  headers: Reply['headers'],
): Reply<Status, BinaryBody> {
  return { status, headers, content: { bytes } };
}

/** Builds a reply with the status 200 and a JSON body. */
export function buildOkReply<Body extends object>(body: Body, headers: Reply['headers'] = {}): Reply<200, Body> {
  return { status: 200, headers, content: { json: JSON.stringify(body) } };
}

/**
 * Builds a reply with the status 201 and a JSON body.
 *
 * @param location the path of the created resource without the base path
 */
export function buildCreatedReply<Body extends object>(location: string, body: Body): Reply<201, Body> {
  return { status: 201, headers: {}, location, content: { json: JSON.stringify(body) } };
}

/** Builds a reply with the status 204 and no body. */
export function buildEmptyReply(): Reply<204, undefined> {
  return { status: 204, headers: {} };
}

/** The declared body type of a reply that is a stream of server-sent events. */
export interface ServerSentEvents {
  readonly isEventStream: true;
}

/** Builds a reply with the status 200 whose body is a stream of server-sent events. @param stream sends the events */
export function buildStreamReply(stream: StreamContent['stream']): Reply<200, ServerSentEvents> {
  return { status: 200, headers: {}, content: { stream } };
}

/** Sends a reply. For a stream, resolves at its end. @param basePath the base path of the request, such as `/api` */
export async function sendReply(response: Response, reply: Reply, basePath: string): Promise<void> {
  if (reply.isReplayed === true) response.setHeader('Idempotency-Replayed', 'true');
  // `set` of Express would add a charset to the type of a file, whose encoding is unknown.
  response.status(reply.status).setHeaders(new Map(Object.entries(buildReplyHeaders(reply, basePath))));
  const { content } = reply;
  if (content === undefined) response.end();
  else if ('json' in content) response.type('json').send(content.json);
  else if ('bytes' in content) await sendBytes(response, content.bytes);
  else if (response.req.method === 'HEAD') openEventStream(response).end();
  else await content.stream(openEventStream(response));
}

/**
 * Number of listeners per event above which Node warns of a leak. `pipeline` alone adds seven listeners to a response.
 */
const MAX_LISTENERS = 20;

/**
 * Sends bytes as fast as the client reads them. If an error prevents reading all bytes, closes the connection, so that
 * the client detects an incomplete response.
 */
async function sendBytes(response: Response, bytes: Readable): Promise<void> {
  if (response.req.method === 'HEAD') {
    bytes.destroy();
    response.end();
    return;
  }
  response.setTimeout(MAX_STALL_MS, () => response.destroy());
  response.setMaxListeners(MAX_LISTENERS);
  try {
    await pipeline(bytes, response);
  } catch (error) {
    // The client has disconnected, so there is no error to log.
    if (isPrematureClose(error)) return;
    // Logged here, because the error handlers ignore requests whose connection is closed.
    const { log } = getRequestScope(response);
    log.error({ err: error }, 'the bytes of a response cannot be read; its connection was closed');
  }
}

function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** The form in which a reply is stored for repeated requests with the same `Idempotency-Key`. */
interface StoredReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON. */
  readonly text: string;
}

/** Serializes a reply that is stored for repeated requests. @throws if the reply has no JSON body */
export function serializeReply(reply: Reply, basePath: string): string {
  const { status, content } = reply;
  if (content === undefined || !('json' in content)) {
    throw new Error(
      `expected a reply with a JSON body to store, found a reply with the status ${status} and no JSON body`,
    );
  }
  return JSON.stringify({
    status,
    headers: buildReplyHeaders(reply, basePath),
    text: content.json,
  } satisfies StoredReply);
}

/** Parses the text that `serializeReply` returns. Sets `isReplayed` of the reply. */
export function parseReply(text: string): Reply & { readonly content: JsonText } {
  const { status, headers, text: json } = JSON.parse(text) as StoredReply; // stored encrypted, so it is unchanged
  return { status, headers, content: { json }, isReplayed: true };
}

function buildReplyHeaders({ headers, location }: Reply, basePath: string): Reply['headers'] {
  return location === undefined ? headers : { ...headers, Location: `${basePath}${location}` };
}

/** Interval between heartbeats in milliseconds. Many proxies close connections without data after about 30 s. */
const HEARTBEAT_MS = 15_000;
/** Time in milliseconds after which a connection without traffic is closed, because the client does not read. */
const MAX_STALL_MS = 120_000;

/**
 * The message of the error with which `EventStream.closed` aborts. Creating the default error, a DOMException, would
 * take as long as sending some events.
 */
const CLOSED = 'the connection is closed';

/**
 * Starts a response with server-sent events. Sends the headers immediately, so that the client can detect that its
 * question was accepted.
 *
 * @param heartbeatMs the interval between heartbeats, which keep the connection open while there is no data
 */
export function openEventStream(response: ServerResponse, heartbeatMs = HEARTBEAT_MS): EventStream {
  response.writeHead(200, {
    'Content-Type': selectEventStreamType(response.req.headers.accept),
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  response.setTimeout(MAX_STALL_MS, () => response.destroy());
  const closed = new AbortController();
  if (response.closed) closed.abort(new Error(CLOSED));
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(HEARTBEAT_FRAME);
  }, heartbeatMs);
  response.once('close', () => {
    clearInterval(heartbeat);
    closed.abort(new Error(CLOSED));
  });
  return {
    write: async (frames) => {
      if (frames === '' || response.closed || response.write(frames)) return;
      await waitForDrain(response);
    },
    end: () => {
      clearInterval(heartbeat);
      response.end();
    },
    closed: closed.signal,
  };
}

const EVENT_STREAM = 'text/event-stream';

/**
 * Selects the content type of an event stream. A client that names `text/event-stream` in `Accept` receives exactly
 * this type, because such clients compare the whole header with it. Other clients, such as Python's requests, would
 * decode text without a charset as ISO 8859-1 (RFC 2616, section 3.7.1).
 */
function selectEventStreamType(accept = ''): string {
  const isNamed = accept.split(',').some((type) => type.split(';', 1)[0]?.trim().toLowerCase() === EVENT_STREAM);
  return isNamed ? EVENT_STREAM : `${EVENT_STREAM}; charset=utf-8`;
}

/** Waits until the client has read the buffered data or has disconnected. */
async function waitForDrain(response: ServerResponse): Promise<void> {
  if (response.closed) return;
  const settled = new AbortController();
  await Promise.race([
    once(response, 'drain', { signal: settled.signal }),
    once(response, 'close', { signal: settled.signal }),
  ]);
  settled.abort();
}
