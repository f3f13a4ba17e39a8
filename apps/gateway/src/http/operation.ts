import type { Idempotency } from './call.js';
import type { Declaration, Operation, WithParams } from './declaration.js';
import { handleCall } from './handle-call.js';
import type { ResponseSpec } from './responses.js';

/** Declares an operation. The types of `params`, `query`, `body` and the reply follow from the declaration. */
export function operation<
  const Path extends string,
  Responses extends Readonly<Record<number, ResponseSpec>>,
  Query extends object = never,
  Json = never,
  Form = never,
  Found = never,
  const Mode extends Idempotency = never,
>(declaration: Declaration<Path, Query, Json, Form, Found, Mode, Responses> & WithParams<Path>): Operation {
  return { ...declaration, handle: (exchange) => handleCall(declaration, exchange) };
}
