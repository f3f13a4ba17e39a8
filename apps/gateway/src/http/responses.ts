import type { Page } from '@quarry/contracts';
import type { JsonSchema, Shape } from '@quarry/validation';
import type { BinaryBody, ServerSentEvents } from './reply.js';

/** Describes the response of an operation for one HTTP status, for the OpenAPI document and the type of the reply. */
export interface ResponseSpec<Body = unknown> {
  readonly description: string;
  /** The JSON schemas of the body, keyed by media type. Absent: the response has no body. */
  readonly content?: Readonly<Record<string, SchemaFrom>>;
  /** Descriptions of the response headers, keyed by header name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Never set. Its type lets the compiler infer the type of the body. */
  readonly bodyType?: Body;
}

/** Builds a JSON schema. Uses `refTo` for references to the schemas of classes. */
export type SchemaFrom = (refTo: RefTo) => JsonSchema;
/** Creates references to the named schemas of the OpenAPI document. */
export interface RefTo {
  /** Returns a reference to the JSON schema of a class, such as `{ $ref: '#/components/schemas/AgentResponse' }`. */
  (shape: Shape<object>): JsonSchema;
  /** Adds a schema that no class describes, such as that of a page of a list, and returns a reference to the schema. */
  addSchema(name: string, schema: JsonSchema): JsonSchema;
}

/** Associates a JSON schema with the TypeScript type of the values that it describes. */
export interface Schema<Value> {
  readonly schema: SchemaFrom;
  /** Never set. Its type lets the compiler infer the type of the values. */
  readonly valueType?: Value;
}

/** Describes a response with a JSON body. */
export function describeJsonResponse<Body>(
  description: string,
  { schema }: Schema<Body>,
  headers: ResponseSpec['headers'] = {},
): ResponseSpec<Body> {
  return { description, content: { 'application/json': schema }, headers };
}

/**
 * Describes a response whose body is JSON or a stream of server-sent events. A field of the request selects which of
 * the two.
 */
export function describeJsonOrEventStream<Body>(
  description: string,
  { schema }: Schema<Body>,
  headers: ResponseSpec['headers'],
): ResponseSpec<Body | ServerSentEvents> {
  return {
    description,
    content: { 'application/json': schema, 'text/event-stream': createEventStreamSchema },
    ...(headers && { headers }),
  };
}

/** Describes a response that is a stream of server-sent events. */
export function describeEventStream(description: string): ResponseSpec<ServerSentEvents> {
  return { description, content: { 'text/event-stream': createEventStreamSchema } };
}

function createEventStreamSchema(): JsonSchema {
  return { type: 'string', description: 'Server-sent events, as the description of the operation defines them.' };
}

/** Describes a response that consists of bytes of these media types. */
export function describeBytesResponse(
  description: string,
  mediaTypes: readonly string[],
  headers: ResponseSpec['headers'] = {},
): ResponseSpec<BinaryBody> {
  const createBytesSchema = (): JsonSchema => ({ type: 'string', format: 'binary' });
  return { description, content: Object.fromEntries(mediaTypes.map((type) => [type, createBytesSchema])), headers };
}

/** Describes the response to a request that creates a resource. Adds the header `Location`. */
export function describeCreatedResponse<Body extends object>(
  description: string,
  shape: Shape<Body>,
): ResponseSpec<Body> {
  return describeJsonResponse(description, createObjectSchema(shape), { Location: 'Address of the new resource.' });
}

/** Describes a response without a body. */
export function describeEmptyResponse(description: string): ResponseSpec<undefined> {
  return { description };
}

/** Describes the response to a request that deletes a resource. */
export const DELETED = describeEmptyResponse('Deleted.');

/** Creates the schema of an object of a class. */
export function createObjectSchema<Value extends object>(shape: Shape<Value>): Schema<Value> {
  return { schema: (refTo) => refTo(shape) };
}

/** Creates the schema of an array of objects of a class. */
export function createListSchema<Value extends object>(shape: Shape<Value>): Schema<readonly Value[]> {
  return { schema: (refTo) => ({ type: 'array', items: refTo(shape) }) };
}

/** Creates the schema of a value that matches one of two schemas. Code generators name the type of the value `name`. */
export function createUnionSchema<One, Other>(
  name: string,
  first: Schema<One>,
  second: Schema<Other>,
): Schema<One | Other> {
  return { schema: (refTo) => refTo.addSchema(name, { oneOf: [first.schema(refTo), second.schema(refTo)] }) };
}

/**
 * Creates the schema of one page of a list: `items` of a class, and `next_cursor`. The schema has the name of the
 * class, with `List` instead of the ending `Response`.
 */
export function createPageSchema<Value extends object>(shape: Shape<Value>): Schema<Page<Value>> {
  return {
    schema: (refTo) =>
      refTo.addSchema(`${shape.name.replace(/Response$/, '')}List`, {
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
