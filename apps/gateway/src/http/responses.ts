import type { Page } from '@quarry/contracts';
import type { JsonSchema, Shape } from '@quarry/validation';
import type { ServerSentEvents } from './reply.js';

/** Declares the response of an operation with one status. */
export interface ResponseSpec<Body = unknown> {
  readonly description: string;
  /** By media type. Absent: the response has no body. */
  readonly content?: Readonly<Record<string, SchemaFrom>>;
  /** Descriptions of headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Never set: only its type is used. */
  readonly bodyType?: Body;
}

/** Returns a JSON schema that refers to other classes by `refTo`. */
export type SchemaFrom = (refTo: RefTo) => JsonSchema;
export type RefTo = (shape: Shape<object>) => JsonSchema;

/** A schema of values of one type. */
export interface Schema<Value> {
  readonly schema: SchemaFrom;
  /** Never set: only its type is used. */
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

/** Declares a response that is JSON or an event stream, as the request chooses. */
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

/** Declares the response to a creation, with the header `Location`. */
export function createdResponse<Body extends object>(description: string, shape: Shape<Body>): ResponseSpec<Body> {
  return jsonResponse(description, objectOf(shape), { Location: 'Address of the new resource.' });
}

/** Declares a response without a body. */
export function emptyResponse(description: string): ResponseSpec<undefined> {
  return { description };
}

/** Declares the response to a deletion. */
export const DELETED = emptyResponse('Deleted.');

export function objectOf<Value extends object>(shape: Shape<Value>): Schema<Value> {
  return { schema: (refTo) => refTo(shape) };
}

export function listOf<Value extends object>(shape: Shape<Value>): Schema<readonly Value[]> {
  return { schema: (refTo) => ({ type: 'array', items: refTo(shape) }) };
}

/** Describes one page of a list. */
export function pageOf<Value extends object>(shape: Shape<Value>): Schema<Page<Value>> {
  return {
    schema: (refTo) => ({
      type: 'object',
      properties: {
        items: { type: 'array', items: refTo(shape) },
        next_cursor: {
          type: ['string', 'null'],
          description: 'Pass it as `cursor` to get the next page; null on the last page.',
        },
      },
      required: ['items', 'next_cursor'],
    }),
  };
}
