import type { AnswerEvent } from '@quarry/contracts';
import type { Problem } from '@quarry/service-kit';
import { IsOptional, IsString, parse } from '@quarry/validation';
import { problem, type ProblemCode } from '../problems.js';

class RefusalBody {
  @IsOptional() @IsString() readonly code?: string;
  @IsOptional() @IsString() readonly detail?: string;
}

/** A response of the query service with an error status. */
export interface Refusal {
  readonly status: number;
  /** The unvalidated response body. Undefined if the body is not JSON. */
  readonly body: unknown;
  /** The value of the header `Retry-After`. Absent: the response has no such header. */
  readonly retryAfter?: string | undefined;
}

/**
 * Lists the problem codes of the query service that API callers receive unchanged. Other codes indicate a fault of
 * Quarry and become `dependency_unavailable`.
 */
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

/** Lists the codes of a `failed` event that API callers receive unchanged. Other codes become `answer_failed`. */
const FAILURE_CODES = [
  ...PUBLIC_CODES,
  'dependency_unavailable',
  'service_stopping',
  'internal_error',
  'answer_failed',
] as const satisfies readonly ProblemCode[];

const DEFAULT_RETRY_AFTER = '2';

/** Translates a refusal of the query service to a problem of the gateway. */
export function translateRefusal({ status, body, retryAfter }: Refusal): Problem {
  const { code = '', detail = 'The response has no detail.' } = parseRefusalBody(body);
  const publicCode = PUBLIC_CODES.find((candidate) => candidate === code);
  if (publicCode !== undefined)
    return problem(publicCode, detail, retryAfter === undefined ? {} : { headers: { 'Retry-After': retryAfter } });
  return problem('dependency_unavailable', 'The query service did not accept the request. Retry later.', {
    cause: new Error(`the query service responded with ${status} ${code}: ${detail}`),
    headers: { 'Retry-After': retryAfter ?? DEFAULT_RETRY_AFTER },
  });
}

type FailedEvent = Omit<Extract<AnswerEvent, { readonly type: 'failed' }>, 'type'>;

/**
 * Translates a `failed` event to a problem, with the header `Retry-After` if the event has a retry delay. The message of
 * another code may contain internal details, so it only becomes the cause of the problem, which is logged.
 */
export function translateFailedEvent({ code, message, retryAfterSeconds }: FailedEvent): Problem {
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  const publicCode = FAILURE_CODES.find((candidate) => candidate === code);
  if (publicCode !== undefined) return problem(publicCode, message, { headers });
  const cause = new Error(`the query service reported ${code}: ${message}`);
  return problem('answer_failed', 'The answer failed. Send the question again.', { cause, headers });
}

function parseRefusalBody(body: unknown): RefusalBody {
  try {
    return parse(RefusalBody, body, 'ignore');
  } catch {
    return {};
  }
}
