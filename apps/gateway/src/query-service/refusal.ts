import type { AnswerEvent } from '@quarry/contracts';
import type { Problem } from '@quarry/service-kit';
import { IsOptional, IsString, parse } from '@quarry/validation';
import { problem, type ProblemCode } from '../problems.js';

class RefusalBody {
  @IsOptional() @IsString() readonly code?: string;
  @IsOptional() @IsString() readonly detail?: string;
}

/** A response of the query service that is no result. */
export interface Refusal {
  readonly status: number;
  /** As received. */
  readonly body: unknown;
  /** Value of the response's `Retry-After`. */
  readonly retryAfter?: string | undefined;
}

/** The codes that a caller can act on. Any other refusal is a fault of our own services, or one of them is down. */
const PASSED_ON = [
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
const FAILURES = [
  ...PASSED_ON,
  'dependency_unavailable',
  'service_stopping',
  'internal_error',
] as const satisfies readonly ProblemCode[];

const DEFAULT_RETRY_AFTER = '2';

/** Returns the problem that the gateway answers with when the query service refuses a request. */
export function refusalOf({ status, body, retryAfter }: Refusal): Problem {
  const { code = '', detail = 'No detail was given.' } = readBody(body);
  const passedOn = PASSED_ON.find((candidate) => candidate === code);
  if (passedOn !== undefined)
    return problem(passedOn, detail, retryAfter === undefined ? {} : { headers: { 'Retry-After': retryAfter } });
  return problem('dependency_unavailable', 'The query service could not take the question. Try again.', {
    cause: new Error(`the query service answered ${status} ${code}: ${detail}`),
    headers: { 'Retry-After': retryAfter ?? DEFAULT_RETRY_AFTER },
  });
}

type FailedEvent = Omit<Extract<AnswerEvent, { readonly type: 'failed' }>, 'type'>;

/** Returns the problem of a `failed` event, with `Retry-After` where the event has it. */
export function failureOf({ code, message, retryAfterSeconds }: FailedEvent): Problem {
  const known = FAILURES.find((candidate) => candidate === code) ?? 'answer_failed';
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
