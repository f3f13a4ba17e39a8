import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import { type EventStream, HEARTBEAT_FRAME } from '../answering/sse.js';

/** The response of a successful operation. `Body` is the type that the operation declares for this status. */
export interface Reply<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  /** The path of the created resource without the base path, such as `/agents/…`. */
  readonly location?: string;
  readonly content?: JsonText | Streamed;
  /** True if this is the response to an earlier request with the same `Idempotency-Key`. */
  readonly isReplayed?: boolean;
  /** Never set: only its type is used. */
  readonly bodyType?: Body;
}

interface JsonText {
  readonly json: string;
}

/** Sends server-sent events. Resolves at the end of the stream; never rejects, because the status is already sent. */
interface Streamed {
  readonly stream: (stream: EventStream) => Promise<void>;
}

export function ok<Body extends object>(body: Body, headers: Reply['headers'] = {}): Reply<200, Body> {
  return { status: 200, headers, content: { json: JSON.stringify(body) } };
}

/** @param location the path of the created resource without the base path */
export function created<Body extends object>(location: string, body: Body): Reply<201, Body> {
  return { status: 201, headers: {}, location, content: { json: JSON.stringify(body) } };
}

export function noContent(): Reply<204, undefined> {
  return { status: 204, headers: {} };
}

/** The body type of a stream of server-sent events. */
export interface ServerSentEvents {
  readonly isEventStream: true;
}

export function eventStream(stream: Streamed['stream']): Reply<200, ServerSentEvents> {
  return { status: 200, headers: {}, content: { stream } };
}

/** @param basePath the base path of the request, such as `/api` */
export async function sendReply(response: Response, reply: Reply, basePath: string): Promise<void> {
  if (reply.isReplayed === true) response.setHeader('Idempotency-Replayed', 'true');
  response.status(reply.status).set(headersOf(reply, basePath));
  const { content } = reply;
  if (content === undefined) response.end();
  else if ('json' in content) response.type('json').send(content.json);
  else await content.stream(openEventStream(response));
}

/** The stored form of a reply. */
interface StoredReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON. */
  readonly text: string;
}

/** Serializes a reply with a JSON body, to store it for repeated requests. */
export function serializeReply(reply: Reply, basePath: string): string {
  const { status, content } = reply;
  if (content === undefined || !('json' in content)) {
    throw new Error(`expected a reply with a JSON body to store, found status ${status} without one`);
  }
  return JSON.stringify({ status, headers: headersOf(reply, basePath), text: content.json } satisfies StoredReply);
}

/** Parses a reply that `serializeReply` has serialized. */
export function parseReply(text: string): Reply & { readonly content: JsonText } {
  const { status, headers, text: json } = JSON.parse(text) as StoredReply; // stored encrypted, so it is unchanged
  return { status, headers, content: { json }, isReplayed: true };
}

function headersOf({ headers, location }: Reply, basePath: string): Reply['headers'] {
  return location === undefined ? headers : { ...headers, Location: `${basePath}${location}` };
}

/** Many proxies close connections without data after about 30 s. */
const HEARTBEAT_MS = 15_000;
/** A client that reads nothing for this time is disconnected. */
const STALLED_MS = 120_000;

/**
 * Opens a stream of server-sent events. Sends the headers immediately, so that the client sees that its question was accepted.
 *
 * @param heartbeatMs the interval between comments that keep the connection open
 */
export function openEventStream(response: ServerResponse, heartbeatMs = HEARTBEAT_MS): EventStream {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  response.setTimeout(STALLED_MS, () => response.destroy());
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(HEARTBEAT_FRAME);
  }, heartbeatMs);
  response.once('close', () => {
    clearInterval(heartbeat);
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
  };
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
