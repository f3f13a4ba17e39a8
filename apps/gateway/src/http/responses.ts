import type { Page } from '@quarry/contracts';
import type { JsonSchema, Shape } from '@quarry/validation';
import type { ServerSentEvents } from './reply.js';

/** Declares the response of an operation with one status. */
export interface ResponseSpec<Body = unknown> {
  readonly description: string;
  /** By media type. Absent: there is no body. */
  readonly content?: Readonly<Record<string, SchemaFrom>>;
  /** Descriptions of headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Never set. Carries the type of the body to the compiler. */
  readonly bodyType?: Body;
}

/** Returns a schema, with references for the classes it is made of. */
export type SchemaFrom = (refTo: RefTo) => JsonSchema;
export type RefTo = (shape: Shape<object>) => JsonSchema;

/** A schema of values of one type. */
export interface Schema<Value> {
  readonly schema: SchemaFrom;
  /** Never set. Carries the type to the compiler. */
  readonly valueType?: Value;
}

/** Declares a JSON body. */
export function jsonResponse<Body>(
  description: string,
  { schema }: Schema<Body>,
  headers: ResponseSpec['headers'] = {},
): ResponseSpec<Body> {
  return { description, content: { 'application/json': schema }, headers };
}

/** Declares a JSON body, or the stream of it, as the request chooses. */
export function jsonOrEventStream<Body>(
  description: string,
  { schema }: Schema<Body>,
  headers: ResponseSpec['headers'],
): ResponseSpec<Body | ServerSentEvents> {
  const events = (): JsonSchema => ({ type: 'string', description: 'Server-sent events, as described above.' });
  return {
    description,
    content: { 'application/json': schema, 'text/event-stream': events },
    ...(headers && { headers }),
  };
}

/** Declares what was created, and its address. */
export function createdResponse<Body extends object>(description: string, shape: Shape<Body>): ResponseSpec<Body> {
  return jsonResponse(description, one(shape), { Location: 'Where it can be asked for.' });
}

/** Declares a response without a body. */
export function emptyResponse(description: string): ResponseSpec<undefined> {
  return { description };
}

/** Declares the response to a deletion. */
export const REMOVED = emptyResponse('It is removed.');

export function one<Value extends object>(shape: Shape<Value>): Schema<Value> {
  return { schema: (refTo) => refTo(shape) };
}

export function listOf<Value extends object>(shape: Shape<Value>): Schema<readonly Value[]> {
  return { schema: (refTo) => ({ type: 'array', items: refTo(shape) }) };
}

/** Declares a part of a list. */
export function pageOf<Value extends object>(shape: Shape<Value>): Schema<Page<Value>> {
  return {
    schema: (refTo) => ({
      type: 'object',
      properties: {
        items: { type: 'array', items: refTo(shape) },
        next_cursor: {
          type: ['string', 'null'],
          description: 'Asks for the items after these; null when there are none.',
        },
      },
      required: ['items', 'next_cursor'],
    }),
  };
}
