import type { FieldIssue } from '@quarry/validation';

/** Describes the status and the title of all problems with the same code. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
}

/** Lists the kinds of problems that every service has. An app adds further kinds. */
export const BASIC_PROBLEMS = {
  malformed_request: { status: 400, title: 'The request is malformed' },
  validation_failed: { status: 400, title: 'The request is not valid' },
  unauthorized: { status: 401, title: 'The API key is missing or invalid' },
  not_found: { status: 404, title: 'The resource does not exist' },
  method_not_allowed: { status: 405, title: 'The path does not support this method' },
  request_timeout: { status: 408, title: 'The request took too long' },
  payload_too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal_error: { status: 500, title: 'An internal error occurred' },
  dependency_unavailable: { status: 503, title: 'A required service is unavailable' },
} as const satisfies Record<string, ProblemKind>;

export interface ProblemOptions extends ErrorOptions {
  readonly errors?: readonly FieldIssue[];
  /** Response headers, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Reports that a service refuses or cannot answer a request. Only code that handles HTTP requests throws it. `detail`
 * states for users what was expected and what was found.
 */
export class Problem extends Error {
  readonly code: string;
  readonly kind: ProblemKind;
  readonly errors: readonly FieldIssue[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, kind: ProblemKind, detail: string, options: ProblemOptions = {}) {
    super(detail, options);
    this.name = 'Problem';
    this.code = code;
    this.kind = kind;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

/**
 * Returns a function that creates problems of the given kinds, such as `problem('not_found', 'There is no agent a1.')`.
 */
export function createProblemFactory<Code extends string>(
  kinds: Readonly<Record<Code, ProblemKind>>,
): (code: Code, detail: string, options?: ProblemOptions) => Problem {
  return (code, detail, options) => new Problem(code, kinds[code], detail, options);
}

/** Creates a problem of a kind that every service has. */
export const basicProblem = createProblemFactory(BASIC_PROBLEMS);

/**
 * Describes the body of a problem (RFC 9457). `code` does not change between versions. `error` is the code in capitals,
 * for older clients of this API.
 */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly error: string;
  readonly errors?: readonly FieldIssue[];
}

/** Builds the body of a problem. @param requestId the id of the request, which `instance` contains */
export function buildProblemBody(problem: Problem, requestId: string): ProblemBody {
  return {
    type: `urn:quarry:problem:${problem.code}`,
    title: problem.kind.title,
    status: problem.kind.status,
    detail: problem.message,
    instance: `urn:quarry:request:${requestId}`,
    code: problem.code,
    error: problem.code.toUpperCase(),
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
  };
}
