import type { components } from './generated/schema.js';

export type FieldProblem = components['schemas']['FieldProblem'];

/** Reports an error response of Quarry, or a stream that ended before its end marker. */
export class QuarryError extends Error {
  /** HTTP status of the response. It is 200 if a stream failed after it had started. */
  readonly status: number;
  /**
   * Holds a documented code of Quarry, or a code of this client: `unexpected_answer` for a response that is not from
   * Quarry, `stream_interrupted` for an incomplete stream, or `answer_failed` for a stream that reports an error
   * without a code.
   */
  readonly code: string;
  /** Message for users that contains what was expected and what was found. */
  readonly detail: string;
  /** Lists the invalid fields if the code is `validation_failed`. Empty if the response names no fields. */
  readonly errors: readonly FieldProblem[];
  /** Identifies the request in the logs of Quarry. Undefined if the response does not contain the id. */
  readonly requestId: string | undefined;

  constructor(status: number, code: string, detail: string, { errors = [], requestId }: ErrorDetails = {}) {
    super(`${code}: ${detail}`);
    this.name = 'QuarryError';
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.requestId = requestId;
  }
}

interface ErrorDetails {
  readonly errors?: readonly FieldProblem[];
  readonly requestId?: string | undefined;
}

/** Maximum number of characters of an unexpected response that an error message quotes. */
const MAX_EXCERPT_CHARACTERS = 200;

/**
 * Parses an error response. The code of the error is `unexpected_answer` if the response is not a problem document, for
 * example if a proxy responds.
 */
export async function parseErrorResponse(response: Response, baseUrl: string): Promise<QuarryError> {
  const text = await response.text();
  const problem = parseProblem(text);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  if (problem === undefined) {
    return createUnexpectedAnswerError(response, {
      text,
      expected: 'a problem document of Quarry',
      baseUrl,
      requestId,
    });
  }
  const hint = UNKNOWN_ROUTE.test(problem.detail) ? createBaseUrlHint(baseUrl) : '';
  const details = { errors: problem.errors ?? [], requestId };
  return new QuarryError(response.status, problem.code, `${problem.detail}${hint}`, details);
}

/**
 * Parses the JSON of a successful response.
 *
 * @throws QuarryError `unexpected_answer` for other content, such as a web page
 */
export async function parseJsonResponse(response: Response, baseUrl: string): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw createUnexpectedAnswerError(response, { text, expected: 'JSON of Quarry', baseUrl });
  }
}

const EVENT_STREAM = /^text\/event-stream(?:;|$)/i;

/** Checks that a response is a stream of events. @throws QuarryError `unexpected_answer` for other content */
export async function requireEventStream(response: Response, baseUrl: string): Promise<void> {
  if (EVENT_STREAM.test(response.headers.get('content-type') ?? '')) return;
  const text = await response.text();
  throw createUnexpectedAnswerError(response, { text, expected: 'an event stream of Quarry', baseUrl });
}

/**
 * Returns true if a later request can succeed: the server did not respond, is unavailable, or limits the rate of
 * requests. `fetch` reports a missing response as a `TypeError`, and a time limit that has ended as a `TimeoutError`.
 */
export function isTemporaryError(error: unknown): boolean {
  if (error instanceof QuarryError) return error.status >= 500 || error.status === 429;
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}

/** Matches the detail of the problem that Quarry returns for a route that does not exist. */
const UNKNOWN_ROUTE = /^There is no [A-Z]+ \//;

interface UnexpectedAnswer {
  readonly text: string;
  readonly expected: string;
  readonly baseUrl: string;
  readonly requestId?: string | undefined;
}

function createUnexpectedAnswerError(
  { status }: Response,
  { text, expected, baseUrl, requestId }: UnexpectedAnswer,
): QuarryError {
  const found = `status ${status} and this start of the response: ${text.slice(0, MAX_EXCERPT_CHARACTERS)}`;
  const detail = `expected ${expected}, found ${found}${createBaseUrlHint(baseUrl)}`;
  return new QuarryError(status, 'unexpected_answer', detail, { requestId });
}

/** Returns a hint if the base URL does not end with `/api`, the usual path of the API. Otherwise returns ''. */
function createBaseUrlHint(baseUrl: string): string {
  if (/\/api\/*$/i.test(baseUrl)) return '';
  return ` The base URL ${baseUrl} does not end with /api; expected an address such as http://localhost:3000/api.`;
}

type Problem = components['schemas']['Problem'];

function parseProblem(text: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isProblem(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'detail' in value &&
    typeof value.detail === 'string'
  );
}
