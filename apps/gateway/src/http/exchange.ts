import { requestOf, type Log } from '@quarry/service-kit';
import type { Request, Response } from 'express';
import type { Gateway } from '../gateway.js';
import { createClaim, type Claim } from '../idempotency/claim.js';
import type { Caller } from '../access/caller.js';
import { readBearer } from '../keys/check-key.js';
import { getCaller } from './authenticate.js';

/** A request of an authenticated caller, with its response. */
export interface Exchange {
  readonly gateway: Gateway;
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  readonly log: Log;
  /** Aborts when the client disconnects, unless the work must be completed, and when the service stops. */
  readonly signal: AbortSignal;
  /** Registers a function that runs after the response was sent or the request was refused. */
  readonly onEnd: (cleanUp: () => Promise<void>) => void;
}

export type ExchangeParts = Pick<Exchange, 'gateway' | 'request' | 'response' | 'signal' | 'onEnd'>;

export function openExchange(parts: ExchangeParts): Exchange {
  return { ...parts, caller: getCaller(parts.response), log: requestOf(parts.response).log };
}

/**
 * Returns the idempotency claim of a request, or undefined without an `Idempotency-Key`.
 *
 * @param content decides whether a request with the same key is the same request
 * @throws Problem 400 for an invalid key
 */
export function createRequestClaim(
  { request, caller }: Pick<Exchange, 'request' | 'caller'>,
  content: unknown,
): Claim | undefined {
  const idempotencyKey = request.get('idempotency-key');
  if (idempotencyKey === undefined) return undefined;
  return createClaim({
    idempotencyKey,
    caller,
    apiKey: readBearer(request.get('authorization')),
    route: `${request.method} ${getRoutePattern(request)}`,
    content: [request.params, content],
  });
}

/** Returns the pattern of the route, such as `/agents/:id`. */
function getRoutePattern(request: Request): string {
  const route: unknown = request.route;
  return typeof route === 'object' && route !== null && 'path' in route ? String(route.path) : request.path;
}
