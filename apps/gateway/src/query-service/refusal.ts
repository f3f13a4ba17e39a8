import type { AnswerEvent } from '@quarry/contracts';
import type { Problem } from '@quarry/service-kit';
import { IsOptional, IsString, parse } from '@quarry/validation';
import { problem, type ProblemCode } from '../problems.js';

class RefusalBody {
  @IsOptional() @IsString() readonly code?: string;
  @IsOptional() @IsString() readonly detail?: string;
}

/** A response of the query service without a result. */
export interface Refusal {
  readonly status: number;
  /** The body as received. */
  readonly body: unknown;
  /** The value of the header `Retry-After`. */
  readonly retryAfter?: string | undefined;
}

/** The codes that a caller can act on. Any other refusal is a fault of Quarry's services. */
const PUBLIC_CODES = [
  'model_not_configured',
  'model_parameter_refused',
  'context_too_long',
  'model_refused',
  'model_unavailable',
  'model_rate_limited',
  'model_invalid_response',
  'model_interrupted',
  'model_timeout',
  'overloaded',
] as const satisfies readonly ProblemCode[];

/** The codes of a `failed` event. */
const FAILURE_CODES = [
  ...PUBLIC_CODES,
  'dependency_unavailable',
  'service_stopping',
  'internal_error',
] as const satisfies readonly ProblemCode[];

const DEFAULT_RETRY_AFTER = '2';

/** Returns the problem of the gateway for a refusal of the query service. */
export function translateRefusal({ status, body, retryAfter }: Refusal): Problem {
  const { code = '', detail = 'The response has no detail.' } = readBody(body);
  const publicCode = PUBLIC_CODES.find((candidate) => candidate === code);
  if (publicCode !== undefined)
    return problem(publicCode, detail, retryAfter === undefined ? {} : { headers: { 'Retry-After': retryAfter } });
  return problem('dependency_unavailable', 'The query service did not accept the request. Retry later.', {
    cause: new Error(`the query service responded with ${status} ${code}: ${detail}`),
    headers: { 'Retry-After': retryAfter ?? DEFAULT_RETRY_AFTER },
  });
}

type FailedEvent = Omit<Extract<AnswerEvent, { readonly type: 'failed' }>, 'type'>;

/** Returns the problem for a `failed` event, with `Retry-After` if the event contains it. */
export function translateFailure({ code, message, retryAfterSeconds }: FailedEvent): Problem {
  const known = FAILURE_CODES.find((candidate) => candidate === code) ?? 'answer_failed';
  return problem(
    known,
    message,
    retryAfterSeconds === undefined ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } },
  );
}

function readBody(body: unknown): RefusalBody {
  try {
    return parse(RefusalBody, body, 'ignore');
  } catch {
    return {};
  }
}
