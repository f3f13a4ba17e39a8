import type { Response } from 'express';
import type { EventStream } from '../answering/event-stream.js';
import { openEventStream } from './open-event-stream.js';

/** The response of an operation that succeeded. `Body` is what the operation declares for this status. */
export interface Reply<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  /** Path of what was created, below the API's own path, such as `/agents/…`. */
  readonly location?: string;
  readonly content?: JsonText | Streamed;
  /** True for the response to an earlier request with the same `Idempotency-Key`. */
  readonly isReplayed?: boolean;
  /** Never set. Carries the type of the body to the compiler. */
  readonly bodyType?: Body;
}

interface JsonText {
  readonly json: string;
}

/** Sends server-sent events. Resolves when the stream has ended; never rejects, because the status is sent already. */
interface Streamed {
  readonly stream: (stream: EventStream) => Promise<void>;
}

export function ok<Body extends object>(body: Body, headers: Reply['headers'] = {}): Reply<200, Body> {
  return { status: 200, headers, content: { json: JSON.stringify(body) } };
}

/** @param location path of what was created, below the API's own path */
export function created<Body extends object>(location: string, body: Body): Reply<201, Body> {
  return { status: 201, headers: {}, location, content: { json: JSON.stringify(body) } };
}

export function noContent(): Reply<204, undefined> {
  return { status: 204, headers: {} };
}

/** The body of a response that is a stream of server-sent events. */
export interface ServerSentEvents {
  readonly isEventStream: true;
}

export function eventStream(stream: Streamed['stream']): Reply<200, ServerSentEvents> {
  return { status: 200, headers: {}, content: { stream } };
}

/** @param basePath of the API, as the request spells it, such as `/api` */
export async function sendReply(response: Response, reply: Reply, basePath: string): Promise<void> {
  if (reply.isReplayed === true) response.setHeader('Idempotency-Replayed', 'true');
  response.status(reply.status).set(headersOf(reply, basePath));
  const { content } = reply;
  if (content === undefined) response.end();
  else if ('json' in content) response.type('json').send(content.json);
  else await content.stream(openEventStream(response));
}

/** A reply as it is kept for repeated requests. */
interface KeptReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly text: string;
}

/** Writes a reply with a JSON body as text, to be kept for repeated requests. */
export function serializeReply(reply: Reply, basePath: string): string {
  const { status, content } = reply;
  if (content === undefined || !('json' in content)) {
    throw new Error(`expected a reply with a JSON body to keep, found status ${status} without one`);
  }
  return JSON.stringify({ status, headers: headersOf(reply, basePath), text: content.json } satisfies KeptReply);
}

/** Reads a reply that `serializeReply` has written. */
export function parseReply(text: string): Reply & { readonly content: JsonText } {
  const { status, headers, text: json } = JSON.parse(text) as KeptReply; // encrypted meanwhile: it is what was written
  return { status, headers, content: { json }, isReplayed: true };
}

function headersOf({ headers, location }: Reply, basePath: string): Reply['headers'] {
  return location === undefined ? headers : { ...headers, Location: `${basePath}${location}` };
}
