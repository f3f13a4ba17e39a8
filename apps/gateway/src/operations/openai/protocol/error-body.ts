import { createProblemFactory, type Problem } from '@quarry/service-kit';

/**
 * Creates the problems that only the OpenAI-compatible API has. The messages of these problems contain the name of the
 * parameter.
 */
export const openAiProblem = createProblemFactory({
  unknown_parameter: { status: 400, title: 'The parameter is unknown' },
  unsupported_parameter: { status: 400, title: 'The parameter is not supported' },
  unsupported_value: { status: 400, title: 'The value of the parameter is not supported' },
  response_not_cancellable: { status: 400, title: 'The response cannot be cancelled' },
  unsupported_operation: { status: 404, title: 'The operation is not supported' },
  model_not_found: { status: 404, title: 'The model does not exist' },
});

/** The body of every refusal. Source: `ErrorResponse` of https://github.com/openai/openai-openapi. */
export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    /** The parameter that caused the refusal, such as `messages[0].content`. */
    readonly param: string | null;
    readonly code: string;
  };
}

/** A refusal as clients of OpenAI's API expect it. */
export interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
}

/** Maps codes of Quarry's problems to codes that clients of OpenAI's API recognize. All other codes stay unchanged. */
const CODES: Readonly<Record<string, string>> = {
  unauthorized: 'invalid_api_key',
  usage_limit_reached: 'insufficient_quota',
  rate_limited: 'rate_limit_exceeded',
  too_many_refusals: 'rate_limit_exceeded',
  context_too_long: 'context_length_exceeded',
  validation_failed: 'invalid_value',
};

/**
 * Codes of problems that a repetition cannot resolve, but whose statuses OpenAI's SDKs repeat: a reached usage limit, and
 * a key, model or content that the provider refuses.
 */
const PERMANENT_CODES: readonly string[] = ['usage_limit_reached', 'model_refused'];

const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

/**
 * Translates a problem to OpenAI's error format. A reached usage limit has the status 429, as in OpenAI's API. The
 * header `x-should-retry` prevents OpenAI's SDKs from repeating the request.
 */
export function buildErrorReply(problem: Problem): ErrorReply {
  const code = CODES[problem.code] ?? problem.code;
  const isQuota = problem.code === 'usage_limit_reached';
  const status = isQuota ? TOO_MANY_REQUESTS : problem.kind.status;
  const param = problem.errors?.[0]?.path.replaceAll(/\.(\d+)/g, '[$1]') ?? null;
  const type = isQuota ? 'insufficient_quota' : getErrorType(status);
  return {
    status,
    headers: PERMANENT_CODES.includes(problem.code)
      ? { ...problem.headers, 'x-should-retry': 'false' }
      : problem.headers,
    body: { error: { message: problem.message, type, param: param === '' ? null : param, code } },
  };
}

function getErrorType(status: number): string {
  if (status === TOO_MANY_REQUESTS) return 'rate_limit_error';
  return status >= SERVER_ERROR ? 'server_error' : 'invalid_request_error';
}
