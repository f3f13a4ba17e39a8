import type { Problem } from '@quarry/service-kit';
import { IsInt, IsOptional, IsString, parse } from '@quarry/validation';
import { problem, type ProblemCode } from '../problems.js';

class Refusal {
  @IsOptional() @IsString() readonly code?: string;
  @IsOptional() @IsString() readonly detail?: string;
  @IsOptional() @IsInt() readonly status?: number;
}

/** What the caller can do something about. Any other refusal between our own services is our mistake, or a service that is down. */
const PASSED_ON = [
  'model_not_configured',
  'context_too_long',
  'model_refused',
  'model_unavailable',
  'model_rate_limited',
] as const satisfies readonly ProblemCode[];

/** What ends an answer on the way, as the query service says it. */
const FAILURES = [
  ...PASSED_ON,
  'dependency_unavailable',
  'service_stopping',
  'internal_error',
] as const satisfies readonly ProblemCode[];

/** The problem that the query service answered with, as the caller is told. */
export function refusalOf(status: number, body: unknown): Problem {
  const { code = '', detail = 'No detail was given.' } = readRefusal(body);
  const passedOn = PASSED_ON.find((candidate) => candidate === code);
  if (passedOn !== undefined) return problem(passedOn, detail);
  return problem('dependency_unavailable', 'The query service could not take the question. Try again.', {
    cause: new Error(`the query service answered ${status} ${code}: ${detail}`),
    headers: { 'Retry-After': '2' },
  });
}

/** A failure that was told inside an answer. */
export function failureOf(code: string, message: string): Problem {
  return problem(FAILURES.find((candidate) => candidate === code) ?? 'answer_failed', message);
}

function readRefusal(body: unknown): Refusal {
  try {
    return parse(Refusal, body, 'ignore');
  } catch {
    return {};
  }
}
