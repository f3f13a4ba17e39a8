import type { JsonSchema, Shape, UnknownFields } from '@quarry/validation';
import type { Scope } from '@quarry/contracts';
import type { ProblemCode } from '../problems.js';

/** One thing that can be asked of the gateway over HTTP, as the document describes it. */
export interface Operation {
  /** What clients generated from the document call it. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** As OpenAPI writes it, such as `/agents/{id}`. */
  readonly path: string;
  /** Where the path starts. Absent: below `/api`. */
  readonly servers?: readonly Server[];
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** A key with one of them may ask; of none: every key. Absent: no key is needed. */
  readonly scopes?: readonly Scope[];
  readonly query?: Shape<object>;
  readonly body?: Body;
  /** Makes something, and makes it once for each `Idempotency-Key`. */
  readonly once?: true;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Refusals beside those that follow from the fields above. */
  readonly problems?: readonly ProblemCode[];
}

export type Server = '/' | '/api';
export type Tag =
  | 'Queries'
  | 'Content'
  | 'Datastores'
  | 'Datasources'
  | 'Agents'
  | 'Conversations'
  | 'API keys'
  | 'Organizations'
  | 'Usage'
  | 'Webhooks'
  | 'Service';

export interface Body {
  readonly json?: JsonBody;
  readonly form?: FormBody;
}

export interface JsonBody {
  /** Of several, a field `type` tells which. */
  readonly shapes: readonly [Shape<object>, ...Shape<object>[]];
  readonly unknownFields: UnknownFields;
}

/** A form with a file in its field `file`. */
export interface FormBody {
  readonly fields: Shape<object>;
  readonly fileTypes: readonly string[];
}

/** What an operation answers with one status. */
export interface Answer {
  readonly description: string;
  /** By media type. Absent: there is no body. */
  readonly content?: Readonly<Record<string, SchemaFrom>>;
  /** By name, what each header says. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Gives a schema, with references for the classes it is made of. */
export type SchemaFrom = (refTo: RefTo) => JsonSchema;
export type RefTo = (shape: Shape<object>) => JsonSchema;
