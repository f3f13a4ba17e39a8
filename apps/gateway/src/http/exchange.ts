import { requestOf, type Log } from '@quarry/service-kit';
import type { Request, Response } from 'express';
import type { Gateway } from '../gateway.js';
import { createClaim, type Claim } from '../idempotency/claim.js';
import type { Caller } from '../access/caller.js';
import { readBearer } from '../keys/check-key.js';
import { callerOf } from './caller-of.js';

/** One request of an admitted caller, and the response to it. */
export interface Exchange {
  readonly gateway: Gateway;
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  readonly log: Log;
  /** Aborted when nobody waits for the response any more, or when the service stops. */
  readonly signal: AbortSignal;
  /** Runs after the response was sent, or refused. */
  readonly onEnd: (cleanUp: () => Promise<void>) => void;
}

export type ExchangeParts = Pick<Exchange, 'gateway' | 'request' | 'response' | 'signal' | 'onEnd'>;

export function openExchange(parts: ExchangeParts): Exchange {
  return { ...parts, caller: callerOf(parts.response), log: requestOf(parts.response).log };
}

/**
 * Returns the claim of a request with an `Idempotency-Key`, undefined without one.
 *
 * @param content distinguishes this request from another one with the same key
 * @throws Problem 400
 */
export function claimOf(
  { request, caller }: Pick<Exchange, 'request' | 'caller'>,
  content: unknown,
): Claim | undefined {
  const idempotencyKey = request.get('idempotency-key');
  if (idempotencyKey === undefined) return undefined;
  return createClaim({
    idempotencyKey,
    caller,
    apiKey: readBearer(request.get('authorization')),
    route: `${request.method} ${patternOf(request)}`,
    content: [request.params, content],
  });
}

/** Returns the pattern of the route, such as `/agents/:id`. */
function patternOf(request: Request): string {
  const route: unknown = request.route;
  return typeof route === 'object' && route !== null && 'path' in route ? String(route.path) : request.path;
}
