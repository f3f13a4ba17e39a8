import type { Log } from '@quarry/service-kit';
import type { Gateway } from '../gateway.js';
import type { PublicOperation, ReplyTo } from './declaration.js';
import type { PublicExchange } from './exchange.js';
import type { JsonBody } from './request-body.js';
import type { ResponseSpec } from './responses.js';
import { isSentOverHttps, readSessionToken } from './session-cookie.js';

/** Contains a parsed request to an operation that needs no key. */
export interface PublicCall<Json> {
  readonly gateway: Gateway;
  readonly body: Json;
  readonly visitor: Visitor;
  readonly log: Log;
}

/** Describes the sender of a request to an operation that needs no key. */
export interface Visitor {
  /** The client's IP address, as the trusted proxies report it. */
  readonly address: string | undefined;
  /** The token in the session cookie of the request, which may be invalid. Undefined without this cookie. */
  readonly sessionToken: string | undefined;
  readonly usesHttps: boolean;
}

interface PublicDeclaration<Json, Responses extends Readonly<Record<number, ResponseSpec>>> extends Omit<
  PublicOperation,
  'handle'
> {
  readonly body?: { readonly json: JsonBody<Json> };
  readonly responses: Responses;
  readonly handle: (call: PublicCall<Json>) => Promise<ReplyTo<Responses>>;
}

/**
 * Defines an operation that needs no key, such as a sign-in. Its declaration determines the types of the body and the
 * reply.
 */
export function definePublicOperation<Responses extends Readonly<Record<number, ResponseSpec>>, Json = never>(
  declaration: PublicDeclaration<Json, Responses>,
): PublicOperation {
  return {
    ...declaration,
    handle: async (exchange) => declaration.handle(buildPublicCall(declaration.body?.json, exchange)),
  };
}

function buildPublicCall<Json>(json: JsonBody<Json> | undefined, exchange: PublicExchange): PublicCall<Json> {
  const { gateway, request, log } = exchange;
  return {
    gateway,
    body: json === undefined ? (undefined as never) : json.parse(request.body, gateway), // without a body, `Json` is never
    visitor: {
      address: request.ip,
      sessionToken: readSessionToken(request),
      usesHttps: isSentOverHttps(request),
    },
    log,
  };
}
