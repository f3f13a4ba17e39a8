import { getRequestScope, type Log } from '@quarry/service-kit';
import type { Request, Response } from 'express';
import type { Gateway } from '../gateway.js';
import { createClaim, type Claim } from '../idempotency/claim.js';
import type { Caller } from '../access/caller.js';
import { getCaller, getCredential } from './authenticate.js';

/** Contains an HTTP request of an authenticated caller, and its response. */
export interface Exchange {
  readonly gateway: Gateway;
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  readonly log: Log;
  /**
   * Aborts when the client disconnects, or when the service stops a long operation. With an `Idempotency-Key` in the
   * mode `lease`, does not abort when the client disconnects.
   */
  readonly signal: AbortSignal;
  /**
   * Aborts when the service stops, if the operation has `isLongRunning` or the idempotency mode `lease`. Otherwise, is
   * the same as `signal`.
   */
  readonly stopSignal: AbortSignal;
  /** Registers a function that runs after the response was sent or the request was refused. */
  readonly onEnd: (cleanUp: () => Promise<void>) => void;
}

/** Contains an HTTP request to an operation that needs no key, and its response. */
export type PublicExchange = Pick<Exchange, 'gateway' | 'request' | 'response' | 'log'>;

export type ExchangeParts = Pick<Exchange, 'gateway' | 'request' | 'response' | 'signal' | 'stopSignal' | 'onEnd'>;

/** Creates an exchange from its parts. Adds the caller and the log of the request. */
export function createExchange(parts: ExchangeParts): Exchange {
  return { ...parts, caller: getCaller(parts.response), log: getRequestScope(parts.response).log };
}

/**
 * Creates the idempotency claim of a request. Returns undefined for a request without an `Idempotency-Key`.
 *
 * @param content what a repeated request with this key must have in common with this request
 * @throws Problem 400 for an invalid `Idempotency-Key`
 */
export function createIdempotencyClaim(
  { request, response, caller }: Pick<Exchange, 'request' | 'response' | 'caller'>,
  content: unknown,
): Claim | undefined {
  const idempotencyKey = request.get('idempotency-key');
  if (idempotencyKey === undefined) return undefined;
  return createClaim({
    idempotencyKey,
    caller,
    secret: getCredential(response),
    route: `${request.method} ${getRoutePattern(request)}`,
    content: [request.params, content],
  });
}

/** Returns the path pattern of the route that handles a request, such as `/agents/:id`. */
function getRoutePattern(request: Request): string {
  const route: unknown = request.route;
  return typeof route === 'object' && route !== null && 'path' in route ? String(route.path) : request.path;
}
