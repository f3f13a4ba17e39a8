import type { Scope } from '@quarry/contracts';
import type { Shape } from '@quarry/validation';
import type { ProblemCode } from '../problems.js';
import type { Call, Idempotency, RunOnce, PathParameter } from './call.js';
import type { ParameterKind } from './path-parameters.js';
import type { Exchange, PublicExchange } from './exchange.js';
import type { Reply } from './reply.js';
import type { FormBody, JsonBody } from './request-body.js';
import type { ResponseSpec } from './responses.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Describes a route of the gateway for the OpenAPI document. */
export interface RouteDescription {
  /** The `operationId` in the OpenAPI document. */
  readonly id: string;
  readonly method: Method;
  /** The path in the syntax of OpenAPI, such as `/agents/{id}`. */
  readonly path: string;
  /** The base paths below which the route is available. Default: `/api`. */
  readonly servers?: readonly Server[];
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** An API key needs one of these scopes. An empty list admits every key. Absent: the route needs no key. */
  readonly scopes?: readonly Scope[];
  readonly query?: Shape<object>;
  readonly body?: Body<unknown, unknown>;
  readonly idempotency?: Idempotency;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** Problem codes that the route can return, in addition to the codes that follow from the other fields. */
  readonly problems?: readonly ProblemCode[];
  /** True if the route refuses API keys that are limited to certain agents or datastores. */
  readonly refusesLimitedKeys?: true;
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
  | 'Sessions'
  | 'Organizations'
  | 'Usage'
  | 'Webhooks'
  | 'Evaluations'
  | 'Models'
  | 'OpenAI-compatible'
  | 'Service';

interface Body<Json, Form> {
  readonly json?: JsonBody<Json>;
  readonly form?: FormBody<Form>;
}

/**
 * Describes and handles an operation of the API. The router, the 405 responses, the OpenAPI document and the client
 * library are derived from the list of operations.
 */
export interface Operation extends RouteDescription {
  readonly scopes: readonly Scope[];
  /** True if web pages of other origins can send requests (CORS). */
  readonly allowsOtherOrigins?: true;
  /** True for a POST operation that changes nothing, so that clients may repeat requests. */
  readonly isReadOnly?: true;
  /** True for an operation that may take minutes. When the gateway stops, it waits, then aborts the operation. */
  readonly isLongRunning?: true;
  /** Handles a request. @throws Problem or ValidationError for a request that it refuses */
  handle(exchange: Exchange): Promise<Reply>;
}

/**
 * Describes and handles an operation below `/api` that needs no key, such as a sign-in. Requests from other origins are
 * refused.
 */
export interface PublicOperation extends RouteDescription {
  readonly scopes?: never;
  readonly isReadOnly?: true;
  /** Handles a request. @throws Problem or ValidationError for a request that it refuses */
  handle(exchange: PublicExchange): Promise<Reply>;
}

/**
 * Declares an operation with the types of its requests and replies. Requests are checked in this order: scope, content
 * type and size of the body, limited key, path and `find`, query, body. If the operation has neither `find` nor a form,
 * the path is checked last.
 */
export interface Declaration<
  Path extends string,
  Query extends object,
  Json,
  Form,
  Found,
  Mode extends Idempotency,
  Responses extends Readonly<Record<number, ResponseSpec>>,
> extends Omit<Operation, 'handle'> {
  readonly path: Path;
  /** The kind of resource that each path parameter identifies, or a function that parses the parameter. */
  readonly params?: Readonly<Record<PathParameter<Path>, ParameterKind>>;
  readonly query?: Shape<Query>;
  readonly body?: Body<Json, Form>;
  readonly idempotency?: Mode;
  readonly responses: Responses;
  /**
   * Loads the resource that the path identifies, before query and body are parsed.
   *
   * @throws Problem 404 if there is none
   */
  readonly find?: (call: Pick<Call<Path>, 'gateway' | 'caller' | 'params'>) => Promise<Found>;
  readonly handle: (call: Call<Path, Query, Json, Form, Found, RunOnce<Mode>>) => Promise<ReplyTo<Responses>>;
}

/** Requires the field `params` if the path has parameters. */
export type WithParams<Path extends string> = [PathParameter<Path>] extends [never]
  ? object
  : { readonly params: Readonly<Record<PathParameter<Path>, ParameterKind>> };

/** The union of the replies that an operation with these responses can return. */
export type ReplyTo<Responses> = {
  [Status in keyof Responses & number]: Responses[Status] extends ResponseSpec<infer Body>
    ? Reply<Status, Body>
    : never;
}[keyof Responses & number];
